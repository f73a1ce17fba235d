// Command oracle answers partition questions with the partitioners of the Go clients, for the comparison in test/oracle.
//
// One question a line: `PARTITIONER COUNT KEY...`, keys in hexadecimal behind a colon (`:` is the empty key), `-` for no
// key (Go's nil). One answer a line: a partition for each key, or `~` where the original does not take it from the key:
// equal calls that differ. `version` answers the modules' versions. A line that cannot be read ends the program with
// status 2.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// A partitioner maps a key, or nil for none, to a partition in [0, count).
type partitioner func(key []byte, count int32) int32

// Equal calls on drawPartitions partitions agree by chance once in 10^16; a slice of them fits in memory.
const (
	drawPartitions = 100_003
	drawCalls      = 4
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	out := bufio.NewWriter(os.Stdout)
	for lines.Scan() {
		answer, err := answerLine(strings.Fields(lines.Text()))
		if err != nil {
			fmt.Fprintln(os.Stderr, "oracle:", err)
			os.Exit(2)
		}
		fmt.Fprintln(out, answer)
	}
	out.Flush()
}

func answerLine(words []string) (string, error) {
	if len(words) == 1 && words[0] == "version" {
		return versions(), nil
	}
	if len(words) < 2 {
		return "", fmt.Errorf("expected PARTITIONER COUNT KEY..., got %d words", len(words))
	}
	make, known := partitioners[words[0]]
	if !known {
		return "", fmt.Errorf("no such partitioner: %s", words[0])
	}
	count, err := strconv.ParseInt(words[1], 10, 32)
	if err != nil {
		return "", err
	}
	answers := []string{}
	for _, word := range words[2:] {
		key, err := readKey(word)
		if err != nil {
			return "", err
		}
		answers = append(answers, answerKey(make(), key, int32(count)))
	}
	return strings.Join(answers, " "), nil
}

// readKey tells no key (nil) from the empty one.
func readKey(word string) ([]byte, error) {
	if word == "-" {
		return nil, nil
	}
	if word[0] != ':' {
		return nil, fmt.Errorf("not a key: %.60s", word)
	}
	key, err := hex.DecodeString(word[1:])
	if key == nil {
		key = []byte{}
	}
	return key, err
}

func answerKey(partition partitioner, key []byte, count int32) string {
	if draws(partition, key) {
		return "~"
	}
	return strconv.Itoa(int(partition(key, count)))
}

func draws(partition partitioner, key []byte) bool {
	first := partition(key, drawPartitions)
	for range drawCalls - 1 {
		if partition(key, drawPartitions) != first {
			return true
		}
	}
	return false
}

func versions() string {
	info, _ := debug.ReadBuildInfo()
	found := []string{info.GoVersion}
	for _, module := range info.Deps {
		if isJudge(module.Path) {
			found = append(found, module.Path+"@"+module.Version)
		}
	}
	return strings.Join(found, " ")
}
