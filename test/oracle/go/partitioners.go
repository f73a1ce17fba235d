package main

import (
	"github.com/IBM/sarama"
	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/segmentio/kafka-go"
)

// partitioners holds the originals by name, each made anew for a key, so that nothing that one call leaves behind
// answers the next.
var partitioners = map[string]func() partitioner{
	"sarama-hash":           func() partitioner { return ofSarama(sarama.NewHashPartitioner) },
	"sarama-reference":      func() partitioner { return ofSarama(sarama.NewReferenceHashPartitioner) },
	"kafka-go-hash":         func() partitioner { return ofKafkaGo(&kafka.Hash{}) },
	"kafka-go-reference":    func() partitioner { return ofKafkaGo(&kafka.ReferenceHash{}) },
	"kafka-go-crc32":        func() partitioner { return ofKafkaGo(kafka.CRC32Balancer{}) },
	"kafka-go-crc32-always": func() partitioner { return ofKafkaGo(kafka.CRC32Balancer{Consistent: true}) },
	"kafka-go-murmur2":      func() partitioner { return ofKafkaGo(kafka.Murmur2Balancer{}) },
	"kafka-go-murmur2-always": func() partitioner {
		return ofKafkaGo(kafka.Murmur2Balancer{Consistent: true})
	},
	"pulsar-go-java-string": ofPulsar,
}

func isJudge(module string) bool {
	return module == "github.com/IBM/sarama" || module == "github.com/segmentio/kafka-go" ||
		module == "github.com/apache/pulsar-client-go"
}

func ofSarama(construct sarama.PartitionerConstructor) partitioner {
	original := construct("oracle")
	return func(key []byte, count int32) int32 {
		message := &sarama.ProducerMessage{}
		if key != nil {
			message.Key = sarama.ByteEncoder(key)
		}
		partition, err := original.Partition(message, count)
		if err != nil {
			panic(err)
		}
		return partition
	}
}

func ofKafkaGo(balancer kafka.Balancer) partitioner {
	return func(key []byte, count int32) int32 {
		return int32(balancer.Balance(kafka.Message{Key: key}, allPartitions(int(count))...))
	}
}

var ascending []int

// allPartitions is the list 0, 1, ... that a topic's metadata gives; one array serves every count.
func allPartitions(count int) []int {
	for len(ascending) < count {
		ascending = append(ascending, len(ascending))
	}
	return ascending[:count]
}

// ofPulsar asks the router that the client exports: its hash lies in an internal package. A router keeps the partition
// that it drew for messages without key, so each call has a new one.
func ofPulsar() partitioner {
	return func(key []byte, count int32) int32 {
		route := pulsar.NewSinglePartitionRouter()
		return int32(route(&pulsar.ProducerMessage{Key: string(key)}, topicOf(count)))
	}
}

type topicOf uint32

func (topic topicOf) NumPartitions() uint32 { return uint32(topic) }
