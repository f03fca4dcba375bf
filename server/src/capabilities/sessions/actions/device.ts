/** Product names in User-Agents, most specific first, because most browsers also include names of other browsers. */
const BROWSER_PATTERNS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const OPERATING_SYSTEM_PATTERNS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const MAX_USER_AGENT_CHARACTERS = 1_000
const MAX_PRODUCT_CHARACTERS = 30

export function describeDevice(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, MAX_USER_AGENT_CHARACTERS)
  const system = OPERATING_SYSTEM_PATTERNS.find(([pattern]) => pattern.test(text))?.[1]
  const browser = BROWSER_PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? parseProduct(text)
  if (browser === undefined) return system ?? 'Unknown device'
  return system === undefined ? browser : `${browser} on ${system}`
}

function parseProduct(text: string): string | undefined {
  const product = /^[\w.-]+/.exec(text)?.[0]
  return product === undefined || product === 'Mozilla' ? undefined : product.slice(0, MAX_PRODUCT_CHARACTERS)
}
