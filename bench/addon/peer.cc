// The addon that one writes first: a string[] goes over, and C++ takes it apart key by key.
//
// Peer of the rows over a million strings. Built on node-addon-api; the loop itself uses the C calls below it, which is
// the quickest form of this road: one buffer for all keys, one handle scope for 1,024 of them. Lone surrogates become
// U+FFFD here, as the UTF-8 reader of Node-API writes them: not Java's answer.
#include <napi.h>

#include <cstdint>
#include <cstring>
#include <vector>

static int32_t Murmur2(const uint8_t* key, size_t length) {
  const uint32_t m = 0x5bd1e995;
  uint32_t h = 0x9747b28c ^ static_cast<uint32_t>(length);
  size_t left = length;
  for (; left >= 4; left -= 4, key += 4) {
    uint32_t k;
    std::memcpy(&k, key, 4);
    k *= m;
    k ^= k >> 24;
    h = (h * m) ^ (k * m);
  }
  if (left > 0) {
    uint32_t rest = 0;
    std::memcpy(&rest, key, left);
    h = (h ^ rest) * m;
  }
  h ^= h >> 13;
  h *= m;
  return static_cast<int32_t>(h ^ (h >> 15));
}

static size_t Read(Napi::Env env, napi_value key, std::vector<char>& bytes) {
  size_t length = 0;
  if (napi_get_value_string_utf8(env, key, bytes.data(), bytes.size(), &length) != napi_ok)
    throw Napi::TypeError::New(env, "keys: expected strings");
  if (length + 4 < bytes.size()) return length;
  // It may have been cut: ask for the length, make room, read again.
  napi_get_value_string_utf8(env, key, nullptr, 0, &length);
  bytes.resize(length + 8);
  napi_get_value_string_utf8(env, key, bytes.data(), bytes.size(), &length);
  return length;
}

static void Partitions(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  if (info.Length() < 3 || !info[0].IsArray() || !info[2].IsTypedArray())
    throw Napi::TypeError::New(env, "expected (keys, numPartitions, out)");
  Napi::Array keys = info[0].As<Napi::Array>();
  const uint32_t partitions = info[1].As<Napi::Number>().Uint32Value();
  Napi::Int32Array out = info[2].As<Napi::Int32Array>();
  const uint32_t count = keys.Length();
  if (partitions == 0 || out.ElementLength() < count) throw Napi::RangeError::New(env, "numPartitions or out");
  int32_t* answers = out.Data();
  std::vector<char> bytes(4096);
  for (uint32_t first = 0; first < count; first += 1024) {
    Napi::HandleScope scope(env);
    for (uint32_t i = first; i < count && i < first + 1024; i++) {
      napi_value key;
      if (napi_get_element(env, keys, i, &key) != napi_ok) throw Napi::Error::New(env);
      const size_t length = Read(env, key, bytes);
      const int32_t hash = Murmur2(reinterpret_cast<const uint8_t*>(bytes.data()), length);
      answers[i] = static_cast<int32_t>((hash & 0x7fffffff) % partitions);
    }
  }
}

static Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("partitions", Napi::Function::New(env, Partitions));
  return exports;
}

NODE_API_MODULE(peer, Init)
