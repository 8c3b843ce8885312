#include "core/archive/zip_methods.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <memory>
#include <new>
#include <vector>

namespace coffer::core {
namespace {

constexpr std::size_t kOutBytes = 64 * 1024;
constexpr std::uint64_t kMostMemoryBytes = std::uint64_t{192} << 20;

std::unexpected<Error> damaged() {
  return fail(ErrorCode::invalid, "It is damaged.");
}

std::unexpected<Error> too_much_memory() {
  return fail(ErrorCode::refused, "Unpacking it takes more memory than one archive may use.");
}

Result<void> copy(std::uint64_t, const PackedSource& source, const ContentSink& sink) {
  for (;;) {
    const auto block = source();
    if (block.empty()) return {};
    if (!sink(block)) return damaged();
  }
}

/// What the three libraries with streams of this form have in common. `step` unpacks some of the
/// stream's input into its output.
enum class Step : std::uint8_t { more, end, damage, memory };

template <class Stream, class Unpack>
Result<void> unpack_stream(Stream& stream, const PackedSource& source, const ContentSink& sink,
                           Unpack unpack) {
  using Byte = std::remove_pointer_t<decltype(stream.next_out)>;
  std::vector<std::byte> out(kOutBytes);
  for (;;) {
    if (stream.avail_in == 0) {
      const auto block = source();
      // The libraries only read it.
      stream.next_in =
          reinterpret_cast<decltype(stream.next_in)>(const_cast<std::byte*>(block.data()));
      stream.avail_in = static_cast<decltype(stream.avail_in)>(block.size());
    }
    const bool is_cut_off = stream.avail_in == 0;
    stream.next_out = reinterpret_cast<Byte*>(out.data());
    stream.avail_out = static_cast<decltype(stream.avail_out)>(out.size());
    const Step step = unpack(stream);
    if (step == Step::memory) return too_much_memory();
    if (step == Step::damage) return damaged();
    const std::size_t made = out.size() - stream.avail_out;
    if (made > 0 && !sink(std::span(out).first(made))) return damaged();
    if (step == Step::end) return {};
    if (is_cut_off && made == 0) return damaged();
  }
}

Result<void> inflate_raw(std::uint64_t, const PackedSource& source, const ContentSink& sink) {
  z_stream stream{};
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&::inflateEnd)> end(&stream, &::inflateEnd);
  return unpack_stream(stream, source, sink, [](z_stream& each) {
    const int code = ::inflate(&each, Z_NO_FLUSH);
    if (code == Z_STREAM_END) return Step::end;
    return code == Z_OK || code == Z_BUF_ERROR ? Step::more : Step::damage;
  });
}

Result<void> unpack_bzip2(std::uint64_t, const PackedSource& source, const ContentSink& sink) {
  bz_stream stream{};
  if (::BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) throw std::bad_alloc();
  const std::unique_ptr<bz_stream, decltype(&::BZ2_bzDecompressEnd)> end(&stream,
                                                                         &::BZ2_bzDecompressEnd);
  return unpack_stream(stream, source, sink, [](bz_stream& each) {
    const int code = ::BZ2_bzDecompress(&each);
    if (code == BZ_STREAM_END) return Step::end;
    if (code == BZ_MEM_ERROR) return Step::memory;
    return code == BZ_OK ? Step::more : Step::damage;
  });
}

Step step_of(lzma_ret code) {
  switch (code) {
    case LZMA_STREAM_END:
      return Step::end;
    case LZMA_OK:
    case LZMA_BUF_ERROR:
      return Step::more;
    case LZMA_MEM_ERROR:
    case LZMA_MEMLIMIT_ERROR:
      return Step::memory;
    default:
      return Step::damage;
  }
}

Result<void> unpack_lzma_stream(lzma_stream& stream, const PackedSource& source,
                                const ContentSink& sink) {
  const std::unique_ptr<lzma_stream, decltype(&::lzma_end)> end(&stream, &::lzma_end);
  return unpack_stream(stream, source, sink,
                       [](lzma_stream& each) { return step_of(::lzma_code(&each, LZMA_RUN)); });
}

Result<void> unpack_xz(std::uint64_t, const PackedSource& source, const ContentSink& sink) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (::lzma_stream_decoder(&stream, kMostMemoryBytes, 0) != LZMA_OK) throw std::bad_alloc();
  return unpack_lzma_stream(stream, source, sink);
}

/// Such a content has a head of its own (APPNOTE.TXT, 5.8.8), which is made that of an lzma file.
Result<void> unpack_lzma(std::uint64_t size_bytes, const PackedSource& source,
                         const ContentSink& sink) {
  constexpr std::size_t kHead = 9;
  constexpr std::size_t kProperties = 5;
  std::vector<std::byte> begin;
  while (begin.size() < kHead) {
    const auto block = source();
    if (block.empty()) return damaged();
    begin.insert(begin.end(), block.begin(), block.end());
  }
  if (begin[2] != std::byte{kProperties} || begin[3] != std::byte{0}) return damaged();
  std::vector<std::byte> file(begin.begin() + 4, begin.begin() + kHead);
  for (unsigned i = 0; i < 8; ++i) file.push_back(static_cast<std::byte>(size_bytes >> 8 * i));
  file.insert(file.end(), begin.begin() + kHead, begin.end());
  lzma_stream stream = LZMA_STREAM_INIT;
  if (::lzma_alone_decoder(&stream, kMostMemoryBytes) != LZMA_OK) throw std::bad_alloc();
  bool has_begun = false;
  const PackedSource rest = [&]() -> std::span<const std::byte> {
    if (has_begun) return source();
    has_begun = true;
    return file;
  };
  return unpack_lzma_stream(stream, rest, sink);
}

Result<void> unpack_zstd(std::uint64_t, const PackedSource& source, const ContentSink& sink) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> context(::ZSTD_createDCtx(),
                                                                       &::ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  std::vector<std::byte> out(kOutBytes);
  std::size_t wanted = 1;  // Nothing at the end of a frame.
  for (auto block = source(); !block.empty(); block = source()) {
    ZSTD_inBuffer in{block.data(), block.size(), 0};
    // Behind the end of a frame another call would begin the next one.
    for (bool has_more = true; in.pos < in.size || has_more;) {
      ZSTD_outBuffer made{out.data(), out.size(), 0};
      wanted = ::ZSTD_decompressStream(context.get(), &made, &in);
      if (::ZSTD_isError(wanted)) {
        const std::string_view why = ::ZSTD_getErrorName(wanted);
        return why.contains("memory") ? Result<void>(too_much_memory()) : damaged();
      }
      if (made.pos > 0 && !sink(std::span(out).first(made.pos))) return damaged();
      has_more = made.pos == made.size && wanted != 0;
    }
  }
  return wanted == 0 ? Result<void>() : damaged();
}

Result<void> unpack_deflate64(std::uint64_t, const PackedSource& source, const ContentSink& sink) {
  return inflate64(source, sink) ? Result<void>() : damaged();
}

using Unpack = Result<void> (*)(std::uint64_t, const PackedSource&, const ContentSink&);

/// Null for a method that is not known.
Unpack unpack_of(ZipMethod method) {
  switch (method) {
    case ZipMethod::stored:
      return &copy;
    case ZipMethod::deflate:
      return &inflate_raw;
    case ZipMethod::deflate64:
      return &unpack_deflate64;
    case ZipMethod::bzip2:
      return &unpack_bzip2;
    case ZipMethod::lzma:
      return &unpack_lzma;
    case ZipMethod::zstd:
      return &unpack_zstd;
    case ZipMethod::xz:
      return &unpack_xz;
  }
  return nullptr;
}

}  // namespace

Result<void> unpack_content(ZipMethod method, std::uint64_t size_bytes, const PackedSource& source,
                            const ContentSink& sink) {
  const Unpack unpack = unpack_of(method);
  return unpack ? unpack(size_bytes, source, sink) : damaged();
}

bool is_known(ZipMethod method) {
  return unpack_of(method) != nullptr;
}

}  // namespace coffer::core
