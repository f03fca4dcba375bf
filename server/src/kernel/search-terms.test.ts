import { expect, it } from 'vitest'
import { matchesSearch, parseSearch } from './search-query.ts'
import { MAX_TERM_LENGTH, searchTermsOf } from './search-terms.ts'

const termsOf = (text: string): string[] => searchTermsOf(text).map(({ text: term }) => term)

function finds(query: string, text: string): boolean {
  return matchesSearch(parseSearch(query), [searchTermsOf(text)], () => false)
}

it.each([
  ['Deploying the server, v2!', ['deploying', 'the', 'server', 'v2']],
  ['foo_bar.baz()', ['foo', 'bar', 'baz']],
  ['/etc/nginx/nginx.conf', ['etc', 'nginx', 'nginx', 'conf']],
  ['https://a.example/b-c?d=1#e', ['https', 'a', 'example', 'b', 'c', 'd', '1', 'e']],
  ['camelCaseIdentifier ERR_SSL_42', ['camelcaseidentifier', 'err', 'ssl', '42']],
  ['Müller, Mu\u0308ller, MÜLLER', ['muller', 'muller', 'muller']],
  ['Café Øre straße ŁÓDŹ æon', ['cafe', 'ore', 'strasse', 'lodz', 'aeon']],
  ['ΟΔΟΣ οδος οδοσ ὀδός', ['οδοσ', 'οδοσ', 'οδοσ', 'οδοσ']],
  ['йод ёлка', ['йод', 'елка']],
  ['İstanbul ISTANBUL ıstanbul', ['istanbul', 'istanbul', 'istanbul']],
  ['ＡＢＣ１２ ﬁle', ['abc12', 'file']],
  ['كِتَاب أحمد שָׁלוֹם', ['كتاب', 'احمد', 'שלום']],
  ['❤️ 1️⃣', ['1']],
  ['東京都', ['東京', '京都', '都']],
  ['第3章', ['第', '3', '章']],
  ['ｶﾞｷﾞ ガギ', ['ガギ', 'ギ', 'ガギ', 'ギ']],
  ['가나 \u1100\u1161\u1102\u1161', ['가나', '나', '가나', '나']],
  ['กำ', ['กำ', 'ำ']],
  ['葛\u{e0100}飾', ['葛飾', '飾']],
  ['𠮷野家', ['𠮷野', '野家', '家']],
])('splits %s into folded terms', (text, terms) => {
  expect(termsOf(text)).toEqual(terms)
})

it.each([
  ['数据库', '昨天我们升级了数据库服务器'],
  ['服务器', '昨天我们升级了数据库服务器'],
  ['升级', '昨天我们升级了数据库服务器'],
  ['库', '昨天我们升级了数据库服务器'],
  ['器', '昨天我们升级了数据库服务器'],
  ['会議', '明日の会議は午後三時から東京本社で行います'],
  ['東京', '明日の会議は午後三時から東京本社で行います'],
  ['本社', '明日の会議は午後三時から東京本社で行います'],
  ['ます', '明日の会議は午後三時から東京本社で行います'],
  ['カメラ', '新しいデジタルカメラを買いました'],
  ['ｶﾒﾗ', '新しいデジタルカメラを買いました'],
  ['データベース', 'このデータベースサーバーは遅い'],
  ['서버', '어제데이터베이스서버를재시작했습니다'],
  ['데이터베이스', '데이터베이스가 느립니다'],
  ['회의', '오늘의회의록'],
  ['第3章', '本書の第3章を読む'],
  ['ประชุม', 'พรุ่งนี้มีประชุมตอนบ่าย'],
  ['deploy', 'the redeployment failed'],
  ['8540f5', 'fixed in 8540f5c2d1e9'],
  ['foo_bar.baz()', 'call foo_bar.baz() twice'],
  ['foo_bar.baz()', 'call my_xfoo_bar.bazaar(1)'],
  ['bar.baz', 'call foo_bar.baz() twice'],
  ['v1.2', 'since v1.23'],
  ['camelCase', 'rename camelCaseIdentifier'],
  ['Identifier', 'rename camelCaseIdentifier'],
  ['/etc/nginx', 'see /etc/nginx/nginx.conf'],
  ['nginx.conf', 'see /etc/nginx/nginx.conf'],
  ['https://wiki.example.com/rooms', 'see https://wiki.example.com/rooms/server_2'],
  ['E0382', 'error[E0382]: use of moved value'],
  ['ERR_SSL', 'net::ERR_SSL_PROTOCOL_ERROR'],
  ['cafe', 'Das Café ist zu'],
  ['café', 'the cafe is closed'],
  ['Muller', 'Frau Müller'],
  ['Müller', 'Mr Muller'],
  ['orsted', 'H. C. Ørsted'],
  ['ΟΔΟΣ', 'η οδος'],
  ['strasse', 'Lange Straße 5'],
  ['"on friday"', 'deploy on Friday!'],
  ['"京都"', '東京都庁'],
])('finds %s in "%s"', (query, text) => {
  expect(finds(query, text)).toBe(true)
})

it.each([
  ['de', 'deploy'],
  ['京東', '東京都'],
  ['"deploy"', 'redeployment'],
  ['"friday on"', 'on friday'],
  ['"on fri"', 'on friday'],
  ['bar.foo', 'foo.bar'],
  ['oo_ba_az', 'foo_bar_baz'],
  ['', 'anything'],
  ['!? "" -', 'anything'],
])('does not find %s in "%s"', (query, text) => {
  expect(finds(query, text)).toBe(false)
})

it('cuts very long words alike in texts and searches', () => {
  const long = 'x'.repeat(MAX_TERM_LENGTH + 10)
  expect(termsOf(long)).toEqual(['x'.repeat(MAX_TERM_LENGTH)])
  expect(termsOf(`${'é'.repeat(MAX_TERM_LENGTH - 1)}𝔘𝔘`)).toEqual([`${'e'.repeat(MAX_TERM_LENGTH - 1)}u`])
  expect(finds(long, long)).toBe(true)
})
