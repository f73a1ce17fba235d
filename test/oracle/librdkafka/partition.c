/*
 * Answers partition questions with librdkafka's own exported functions, for the comparison in test/oracle.
 *
 * One question a line: `PARTITIONER COUNT KEY...`, keys in hexadecimal behind a colon (`:` is the empty key), `-` for no key.
 * One answer a line: a partition for each key, or `~` where the function draws: equal calls that differ.
 * `version` answers the library's version. A line that cannot be read ends the program with status 2.
 *
 * No broker is asked: the random partitioners need a topic handle, and one that never connects is enough.
 */
#include <librdkafka/rdkafka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t partitioner_t(const rd_kafka_topic_t *, const void *, size_t, int32_t, void *, void *);

static const struct {
  const char *name;
  partitioner_t *partition;
} PARTITIONERS[] = {
    {"consistent", rd_kafka_msg_partitioner_consistent},
    {"consistent_random", rd_kafka_msg_partitioner_consistent_random},
    {"murmur2", rd_kafka_msg_partitioner_murmur2},
    {"murmur2_random", rd_kafka_msg_partitioner_murmur2_random},
    {"fnv1a", rd_kafka_msg_partitioner_fnv1a},
    {"fnv1a_random", rd_kafka_msg_partitioner_fnv1a_random},
};

/* Four equal calls on this many partitions agree by chance once in 10^27. */
enum { DRAW_PARTITIONS = 1000000007, DRAW_CALLS = 4 };

static void stop(const char *what, const char *text) {
  fprintf(stderr, "partition: %s: %.60s\n", what, text);
  exit(2);
}

static partitioner_t *partitioner_of(const char *name) {
  for (size_t i = 0; i < sizeof PARTITIONERS / sizeof *PARTITIONERS; i++)
    if (strcmp(name, PARTITIONERS[i].name) == 0) return PARTITIONERS[i].partition;
  stop("no such partitioner", name);
  return NULL;
}

static rd_kafka_topic_t *topic_never_connected(void) {
  char reason[200];
  rd_kafka_conf_t *conf = rd_kafka_conf_new();
  /* It would warn that no broker is named. */
  rd_kafka_conf_set_log_cb(conf, NULL);
  rd_kafka_t *producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, reason, sizeof reason);
  if (!producer) stop("no producer", reason);
  rd_kafka_topic_t *topic = rd_kafka_topic_new(producer, "oracle", NULL);
  if (!topic) stop("no topic", rd_kafka_err2str(rd_kafka_last_error()));
  return topic;
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  stop("not a hexadecimal digit", (char[]){c, 0});
  return 0;
}

/* Decodes in place: the bytes take half the room of their text. */
static size_t decode(char *text) {
  size_t length = strlen(text);
  if (length % 2) stop("half a byte", text);
  for (size_t i = 0; i < length / 2; i++) text[i] = (char)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
  return length / 2;
}

static int draws(partitioner_t *partition, rd_kafka_topic_t *topic, const char *key, size_t length) {
  int32_t first = partition(topic, key, length, DRAW_PARTITIONS, NULL, NULL);
  for (int i = 1; i < DRAW_CALLS; i++)
    if (partition(topic, key, length, DRAW_PARTITIONS, NULL, NULL) != first) return 1;
  return 0;
}

static void answer_key(partitioner_t *partition, rd_kafka_topic_t *topic, int32_t count, char *word) {
  const char *key = NULL;
  size_t length = 0;
  if (word[0] == ':') {
    length = decode(word + 1);
    key = word + 1;
  } else if (strcmp(word, "-") != 0) {
    stop("not a key", word);
  }
  if (draws(partition, topic, key, length))
    printf(" ~");
  else
    printf(" %d", partition(topic, key, length, count, NULL, NULL));
}

static void answer_line(rd_kafka_topic_t *topic, char *line) {
  char *rest = NULL, *name = strtok_r(line, " \n", &rest);
  if (!name) stop("empty question", line);
  if (strcmp(name, "version") == 0) {
    printf("%s\n", rd_kafka_version_str());
    return;
  }
  partitioner_t *partition = partitioner_of(name);
  char *count = strtok_r(NULL, " \n", &rest);
  if (!count || atoi(count) < 1) stop("no partition count", name);
  for (char *word; (word = strtok_r(NULL, " \n", &rest));) answer_key(partition, topic, atoi(count), word);
  printf("\n");
}

int main(void) {
  rd_kafka_topic_t *topic = topic_never_connected();
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) answer_line(topic, line);
  /* The topic and its producer are left to the end of the process: closing them waits for threads that never connect. */
  fflush(stdout);
  return 0;
}
