// Where the C++ client of Pulsar puts keys: its own router is called, through what libpulsar.so exports.
//
// One question a line: a hashing scheme (`JavaStringHash`, `Murmur3_32Hash`), the number of partitions, then the keys, each `:` and its
// bytes in hexadecimal, or `-` for none. The answer is a partition each; `~` where the router was left to its own choice.
//
// The Python package that brings the library brings no headers: declared here is what is called, as the library exports it.
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

namespace pulsar {
class MessageImpl;
class Message {
  std::shared_ptr<MessageImpl> impl_;
};
class MessageBuilder {
 public:
  MessageBuilder();
  MessageBuilder& setPartitionKey(const std::string& key);
  Message build();

 private:
  std::shared_ptr<MessageImpl> impl_;
};
class TopicMetadata {
 public:
  virtual ~TopicMetadata() {}
  virtual int getNumPartitions() const = 0;
};
class ProducerConfiguration {
 public:
  enum HashingScheme { Murmur3_32Hash, BoostHash, JavaStringHash };
};
class SinglePartitionMessageRouter {
 public:
  SinglePartitionMessageRouter(int selected, int numPartitions, ProducerConfiguration::HashingScheme scheme);
  int getPartition(const Message& message, const TopicMetadata& topic);

 private:
  // More than the object is long.
  void* room_[32];
};
}  // namespace pulsar

struct Topic : pulsar::TopicMetadata {
  explicit Topic(int partitions) : partitions(partitions) {}
  int getNumPartitions() const override { return partitions; }
  int partitions;
};

static const int DRAWN = -7;

static std::string bytesOf(const std::string& word) {
  std::string bytes;
  for (size_t i = 1; i + 1 < word.size(); i += 2) bytes += static_cast<char>(std::stoi(word.substr(i, 2), nullptr, 16));
  return bytes;
}

static pulsar::Message messageOf(const std::string& word) {
  pulsar::MessageBuilder builder;
  if (word != "-") builder.setPartitionKey(bytesOf(word));
  return builder.build();
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string scheme;
    int partitions;
    words >> scheme >> partitions;
    typedef pulsar::ProducerConfiguration Configuration;
    const bool isMurmur = scheme == "Murmur3_32Hash";
    // Never freed: its true size is the library's.
    auto* router = new pulsar::SinglePartitionMessageRouter(
        DRAWN, partitions, isMurmur ? Configuration::Murmur3_32Hash : Configuration::JavaStringHash);
    std::string answer;
    for (std::string word; words >> word;) {
      const int partition = router->getPartition(messageOf(word), Topic(partitions));
      answer += (answer.empty() ? "" : " ") + (partition == DRAWN ? "~" : std::to_string(partition));
    }
    std::cout << answer << std::endl;
  }
}
