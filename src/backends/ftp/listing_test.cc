#include "backends/ftp/listing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coffer::ftp {
namespace {

using namespace std::chrono;

const Timestamp kNow = sys_days(2026y / November / 21) + hours(12);

Timestamp at(year_month_day date, minutes clock = minutes(0)) {
  return Timestamp(sys_days(date)) + clock;
}

std::optional<FtpItem> line(std::string_view text) {
  return parse_list_line(text, kNow);
}

TEST(ListLine, ReadsWhatVsftpdWrites) {
  EXPECT_EQ(line("-rw-r--r--    1 102      105          1234 Nov 21 09:33 file.txt"),
            (FtpItem{"file.txt", Kind::file, 1234, at(2026y / November / 21, 9h + 33min)}));
  EXPECT_EQ(line("drwxr-xr-x    3 102      0            4096 Jan 02  2020 a folder"),
            (FtpItem{"a folder", Kind::folder, 4096, at(2020y / January / 2)}));
}

TEST(ListLine, ReadsWhatPureFtpdAndProftpdWrite) {
  EXPECT_EQ(line("-rw-r--r--    1 1000       users             0 Mar  3 15:03 x"),
            (FtpItem{"x", Kind::file, 0, at(2026y / March / 3, 15h + 3min)}));
  EXPECT_EQ(line("drwxr-xr-x   2 ftp      ftp          4096 Apr 11  2019 pub"),
            (FtpItem{"pub", Kind::folder, 4096, at(2019y / April / 11)}));
}

TEST(ListLine, ReadsLinesWithoutAGroupOrALinkCount) {
  EXPECT_EQ(line("-rw-r--r-- 1 owner 77 Feb  9 01:02 one"),
            (FtpItem{"one", Kind::file, 77, at(2026y / February / 9, 1h + 2min)}));
  EXPECT_EQ(line("-rw-r--r-- owner group 78 Feb  9 01:02 two"),
            (FtpItem{"two", Kind::file, 78, at(2026y / February / 9, 1h + 2min)}));
}

TEST(ListLine, ReadsAccessListMarks) {
  EXPECT_EQ(line("-rw-rw-r--+ 1 a b 5 Feb  9  2021 acl")->name, "acl");
  EXPECT_EQ(line("drwxr-sr-t. 1 a b 5 Feb  9  2021 se")->kind, Kind::folder);
}

TEST(ListLine, ATimeWithoutAYearIsInThePastYear) {
  EXPECT_EQ(line("-rw-r--r-- 1 a b 1 Dec 24 18:00 x")->modified_at, at(2025y / December / 24, 18h));
  EXPECT_EQ(line("-rw-r--r-- 1 a b 1 Nov 22 08:00 x")->modified_at, at(2026y / November / 22, 8h));
  EXPECT_EQ(line("-rw-r--r-- 1 a b 1 Feb 29 08:00 x")->modified_at, at(2024y / February / 29, 8h));
}

TEST(ListLine, TheTurnOfTheYearIsKept) {
  const Timestamp new_year = sys_days(2027y / January / 1) + minutes(1);
  EXPECT_EQ(parse_list_line("-rw-r--r-- 1 a b 1 Dec 31 23:59 x", new_year)->modified_at,
            at(2026y / December / 31, 23h + 59min));
  const Timestamp eve = sys_days(2026y / December / 31) + hours(23);
  EXPECT_EQ(parse_list_line("-rw-r--r-- 1 a b 1 Jan  1 00:30 x", eve)->modified_at,
            at(2027y / January / 1, 30min));
}

TEST(ListLine, KeepsBlanksInNames) {
  EXPECT_EQ(line("-rw-r--r-- 1 a b 1 Nov 21 09:33  leading")->name, " leading");
  EXPECT_EQ(line("-rw-r--r-- 1 a b 1 Jan 02  2020 a  b  c")->name, "a  b  c");
  EXPECT_EQ(line("-rw-r--r-- 1 a b 1 Jan 02  2020 Jan 02  2020 x")->name, "Jan 02  2020 x");
  EXPECT_EQ(line("-rw-r--r-- 1 a b 1 Jan 02  2020 trailing ")->name, "trailing ");
}

TEST(ListLine, ALinkIsNamedWithoutItsTarget) {
  EXPECT_EQ(line("lrwxrwxrwx    1 0        0              10 Nov 21 09:33 a -> /files/b"),
            (FtpItem{"a", Kind::link, 10, at(2026y / November / 21, 9h + 33min)}));
  EXPECT_EQ(line("-rw-r--r-- 1 a b 1 Jan 02  2020 a -> b")->name, "a -> b");
}

TEST(ListLine, TellsWhatIsNeitherFileNorFolder) {
  EXPECT_EQ(line("prw-r--r-- 1 a b 0 Jan 02  2020 fifo")->kind, Kind::other);
  EXPECT_EQ(line("crw-r--r-- 1 a b 1, 3 Jan 02  2020 null")->kind, Kind::other);
}

TEST(ListLine, ReadsWhatWindowsWrites) {
  EXPECT_EQ(line("11-20-26  03:26PM       <DIR>          inetpub files"),
            (FtpItem{"inetpub files", Kind::folder, 0, at(2026y / November / 20, 15h + 26min)}));
  EXPECT_EQ(line("02-09-2021  12:05AM                 1234 readme.txt"),
            (FtpItem{"readme.txt", Kind::file, 1234, at(2021y / February / 9, 5min)}));
  EXPECT_EQ(line("02-09-98  12:05PM  7 noon.txt"),
            (FtpItem{"noon.txt", Kind::file, 7, at(1998y / February / 9, 12h + 5min)}));
  EXPECT_EQ(line("02-09-21  15:05  7 day clock")->modified_at,
            at(2021y / February / 9, 15h + 5min));
  EXPECT_EQ(line("02-09-21  12:05PM  <JUNCTION>  away")->kind, Kind::link);
}

TEST(ListLine, RefusesWhatIsNoEntry) {
  for (const std::string_view text :
       {"", "total 12", "-rw-r--r--", "-rw-r--r-- 1 a b 1 Nov 21 09:33", "hello world",
        "-rw-r--r-- 1 a b x Nov 21 09:33 x", "-rw-r--r-- 1 a b 99999999999999999999 Nov 21 09:33 x",
        "02-09-21  12:05PM  x y", "drwxr-xr-x 2 a b 1 Nov 21 09:33 .",
        "drwxr-xr-x 2 a b 1 Nov 21 09:33 .."}) {
    EXPECT_EQ(line(text), std::nullopt) << text;
  }
}

TEST(ListLine, KeepsWhatHasAnotherDate) {
  const auto autumn = at(2026y / November / 21, 15h + 26min);
  const auto date = at(2026y / November / 21);
  const std::pair<std::string_view, Timestamp> dates[] = {
      {"nov 21 09:26", at(2026y / November / 21, 9h + 26min)},
      {"Nov. 21 2026", date},
      {"21 Nov 2026", date},
      {"21. Nov 2026", date},
      {"2026-11-21 15:26", autumn},
      {"2026-11-21 15:26:33.123456789 +0100", at(2026y / November / 21, 14h + 26min) + 33s},
      {"2026/11/21 15:26", autumn},
      {"2026-11-21", date},
      {"21.11.2026 15:26", autumn},
      {"11-20 15:26", at(2026y / November / 20, 15h + 26min)},
      {"11月 20 15:26", at(2026y / November / 20, 15h + 26min)},
      {"11月 21日 2026", date},
      {"Nov 31 09:33", Timestamp()},
      {"Nov 21 25:33", Timestamp()},
      {"21. Okt 15:26", Timestamp()},
      {"Okt 21 2026", Timestamp()},
      {"21 нояб. 15:26", Timestamp()},
      {"21 août 2026", Timestamp()},
      {"21-nov-2026 15:26", Timestamp()},
      {"21/11/2026 15:26", Timestamp()}};
  for (const auto& [text, time] : dates) {
    for (const std::string_view head : {"-rw-r--r-- 1 owner group 31 ", "-rw-r--r-- 1 12 21 31 ",
                                        "-rw-r--r-- 1 owner 31 ", "-rw-r--r-- owner group 31 "}) {
      EXPECT_EQ(line(fmt::format("{}{} a name 2020", head, text)),
                (FtpItem{"a name 2020", Kind::file, 31, time}))
          << head << text;
    }
  }
}

TEST(ListLine, ReadsWhatNetWareWrites) {
  EXPECT_EQ(line("d [R----F--] supervisor            512       Jan 16 18:53    login")->kind,
            Kind::folder);
  EXPECT_EQ(line("- [R----F--] rhesus             214059       Oct 20 15:27 cx.exe"),
            (FtpItem{"cx.exe", Kind::file, 214059, at(2026y / October / 20, 15h + 27min)}));
}

TEST(ListLine, ReadsOtherDatesOfWindows) {
  EXPECT_EQ(line("2026-11-20  15:26       <DIR>          folder"),
            (FtpItem{"folder", Kind::folder, 0, at(2026y / November / 20, 15h + 26min)}));
  EXPECT_EQ(line("20.11.2026  15:26         1.234.567 a b"),
            (FtpItem{"a b", Kind::file, 1234567, at(2026y / November / 20, 15h + 26min)}));
  EXPECT_EQ(line("11-20-2026  03:26 PM         1,234 a b"),
            (FtpItem{"a b", Kind::file, 1234, at(2026y / November / 20, 15h + 26min)}));
  EXPECT_EQ(line("20/11/2026  15:26  7 x"), (FtpItem{"x", Kind::file, 7, Timestamp()}));
  EXPECT_EQ(line("13-09-21  12:05PM  7 x"), (FtpItem{"x", Kind::file, 7, Timestamp()}));
  EXPECT_EQ(line("11-20-2026  15:26  1,23 x"), std::nullopt);
}

TEST(Facts, AreRead) {
  EXPECT_EQ(parse_facts("type=file;size=12;modify=20261121153334;UNIX.mode=0644; a b"),
            (FtpItem{"a b", Kind::file, 12, at(2026y / November / 21, 15h + 33min) + 34s}));
  EXPECT_EQ(parse_facts("Type=dir;Modify=20200102030405.678;  leading"),
            (FtpItem{" leading", Kind::folder, 0, at(2020y / January / 2, 3h + 4min) + 5s}));
  EXPECT_EQ(parse_facts("type=OS.unix=slink:/etc;size=4; l")->kind, Kind::link);
  EXPECT_EQ(parse_facts("type=OS.unix=symlink;size=4; l")->kind, Kind::link);
  EXPECT_EQ(parse_facts("type=OS.unix=chr-1/3; null")->kind, Kind::other);
}

TEST(Facts, AreNothingForTheFolderItselfAndNonsense) {
  for (const std::string_view text :
       {"type=cdir;modify=20261121153334; .", "type=pdir; ..", "", "type=file;size=1;", "size=1; x",
        "type=file; x", "type=file;size=-1; x", "type=file;size=99999999999999999999; x",
        "type=file;size=1; "}) {
    EXPECT_EQ(parse_facts(text), std::nullopt) << text;
  }
}

TEST(Facts, ATimeThatIsNoneIsTheEpoch) {
  for (const std::string_view text : {"2026112115333", "20261321153334", "20261121256060",
                                      "16010101000000", "2026112115333x", "20261121153334x"}) {
    EXPECT_EQ(parse_time_value(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_facts("type=file;size=1;modify=never; x")->modified_at, Timestamp());
}

TEST(Facts, ATimeBeyondIsTheLastThatThereIs) {
  for (const std::string_view text : {"22620101000000", "22620412000000", "99991121153334"}) {
    EXPECT_EQ(parse_time_value(text), kLatest) << text;
  }
  EXPECT_EQ(parse_time_value("22301121153334"), at(2230y / November / 21, 15h + 33min) + 34s);
  EXPECT_EQ(line("-rw-r--r-- 1 a b 1 Nov 21  9999 x")->modified_at, kLatest);
  EXPECT_EQ(line("01-02-9999  03:26PM  7 x")->modified_at, kLatest);
  EXPECT_EQ(line("-rw-r--r-- 1 a b 1 Nov 21  1601 x")->modified_at, Timestamp());
}

TEST(Facts, ATimeIsWrittenAsItIsRead) {
  const Timestamp time = at(2001y / September / 9, 1h + 46min) + 40s;
  EXPECT_EQ(format_time_value(time), "20010909014640");
  EXPECT_EQ(parse_time_value("20010909014640"), time);
}

std::size_t kept(std::string_view name) {
  return parse_mlsd("type=file;size=1; " + std::string(name) + "\r\n").items.size();
}

TEST(Listing, WhatMakesNoSenseIsNoEmptyFolder) {
  for (const std::string_view text :
       {"ls: .: Permission denied\r\n", "+i8388621.48594,m825718503,r,s280,\tdjb.html\r\n",
        "\r\nhello\r\nworld\r\n", "type=file; x\r\n"}) {
    EXPECT_TRUE(parse_list(text, kNow).is_nonsense) << text;
    EXPECT_TRUE(parse_mlsd(text).is_nonsense) << text;
  }
  for (const std::string_view text :
       {"", "\r\n", "total 0\r\n", "insgesamt 0\r\n", "drwxr-xr-x 2 a b 1 Nov 21 09:33 .\r\n",
        "hello\r\n-rw-r--r-- 1 a b 1 Nov 21 09:33 x\r\n"}) {
    EXPECT_FALSE(parse_list(text, kNow).is_nonsense) << text;
  }
  EXPECT_FALSE(parse_mlsd("type=cdir;modify=20261121153334; .\r\n").is_nonsense);
}

TEST(Listing, NamesThatNoServerShouldSendAreDropped) {
  EXPECT_EQ(kept("fine"), 1U);
  EXPECT_EQ(kept(std::string(255, 'x')), 1U);
  EXPECT_EQ(kept(".."), 0U);
  EXPECT_EQ(kept("."), 0U);
  EXPECT_EQ(kept("../x"), 0U);
  EXPECT_EQ(kept("a/b"), 0U);
  EXPECT_EQ(kept("/etc/passwd"), 0U);
  EXPECT_EQ(kept("..\\x"), 0U);
  EXPECT_EQ(kept("a\rb"), 0U);
  EXPECT_EQ(kept(std::string_view("a\0b", 3)), 0U);
  EXPECT_EQ(kept("a\x7f"), 0U);
  EXPECT_EQ(kept("\xff\xfe"), 0U);
  EXPECT_EQ(kept("\xc0\xaf"), 0U);
  EXPECT_EQ(kept(std::string(4096, 'x')), 0U);
}

TEST(Listing, CountsWhatItDoesNotUnderstand) {
  const auto listing = parse_list(
      "total 2\r\n"
      "drwxr-xr-x 2 a b 1 Nov 21 09:33 .\r\n"
      "drwxr-xr-x 2 a b 1 Nov 21 09:33 ..\r\n"
      "-rw-r--r-- 1 a b 1 Nov 21 09:33 one\r\n"
      "-rw-r--r-- 1 a b 1 Nov 21 09:33 caf\xe9\r\n"
      "something else\r\n"
      "\r\n",
      kNow);
  EXPECT_EQ(listing.items.size(), 1U);
  EXPECT_EQ(listing.left_out, 2U);
  EXPECT_EQ(listing.unread, "something else\n");
  const auto facts = parse_mlsd(
      "type=cdir;modify=20261121153334; /\r\n"
      "type=pdir;modify=20261121153334; /\r\n"
      "type=dir;modify=20261121153334; ..\r\n"
      "type=dir;modify=20261121153334; fine\r\n"
      "type=file;size=1; caf\xe9\r\n");
  EXPECT_EQ(facts.items.size(), 1U);
  EXPECT_EQ(facts.left_out, 1U);
  EXPECT_FALSE(facts.lacks_facts);
}

TEST(Listing, FactsThatAreMissing) {
  for (const std::string_view text : {"size=1; x\r\n", " x\r\n", "type=file; x\r\n",
                                      "type=dir; y\r\ntype=file;modify=20261121153334; x\r\n"}) {
    const auto listing = parse_mlsd(text);
    EXPECT_TRUE(listing.lacks_facts) << text;
    EXPECT_EQ(listing.left_out, 1U) << text;
  }
  EXPECT_FALSE(parse_mlsd("type=dir; x\r\n").lacks_facts);
  EXPECT_FALSE(parse_mlsd("hello world\r\n").lacks_facts);
}

TEST(Listing, LinesAreIndependentOfEachOther) {
  const auto listing = parse_list(
      "total 2\r\n"
      "drwxr-xr-x 2 a b 1 Nov 21 09:33 .\r\n"
      "-rw-r--r-- 1 a b 1 Nov 21 09:33 one\r\n"
      "nonsense\r\n"
      "-rw-r--r-- 1 a b 1 Nov 21 09:33 two\n",
      kNow);
  ASSERT_EQ(listing.items.size(), 2U);
  EXPECT_EQ(listing.items[0].name, "one");
  EXPECT_EQ(listing.items[1].name, "two");
  EXPECT_TRUE(listing.saw_self);
}

TEST(Listing, MlsdTellsTheFolderItself) {
  EXPECT_TRUE(parse_mlsd("type=cdir;modify=20261121153334; .\r\n").saw_self);
  EXPECT_FALSE(parse_mlsd("type=file;size=1; =cdir; .\r\n").saw_self);
}

TEST(Listing, AFileNamedWithADotAtTheEndIsNotTheFolderItself) {
  const auto listing = parse_list("-rw-r--r-- 1 a b 1 Nov 21 09:33 not .\n", kNow);
  EXPECT_FALSE(listing.saw_self);
  EXPECT_EQ(listing.items.size(), 1U);
}

TEST(ListingTest, WhatCannotBeDecodedIsNotFree) {
  const auto listing = parse_list(
      "-rw-r--r-- 1 u Dom\xFFnen 4 Jan 2 2020 taken\r\n"
      "-rw-r--r-- 1 u u 4 Jan 2 2020 good\r\n",
      kNow, CharacterSet::gb18030);
  EXPECT_EQ(listing.items.size(), 1u);
  EXPECT_EQ(listing.left_out, 1u);
  EXPECT_TRUE(listing.unread.ends_with(" taken\n"));
  EXPECT_FALSE(listing.has_more_unread);
}

TEST(ListingTest, MoreUnreadLinesThanAreKeptAreTold) {
  std::string text = "-rw-r--r-- 1 u u 4 Jan 2 2020 good\r\n";
  for (int i = 0; i < 100; ++i) text += std::string(20'000, 'x') + "\r\n";
  EXPECT_TRUE(parse_list(text, kNow).has_more_unread);
}

TEST(ListingTest, ALineOfMlsdWithoutFactsIsNoTotal) {
  for (const char* line : {" 12\r\n", "type=file;size=3 12\r\n"}) {
    const auto listing = parse_mlsd(std::string("type=dir; x\r\n") + line);
    EXPECT_EQ(listing.left_out, 1u) << line;
    EXPECT_FALSE(listing.unread.empty()) << line;
  }
}

}  // namespace
}  // namespace coffer::ftp
