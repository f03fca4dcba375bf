export function emojiIn(classes: readonly string[]): string | undefined {
  const code = classes.find((name) => /^emoji-[\da-f]{1,5}(?:-[\da-f]{1,5}){0,9}$/.test(name))?.slice('emoji-'.length)
  if (code === undefined) return undefined
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}
