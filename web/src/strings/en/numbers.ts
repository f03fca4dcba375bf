const plural = new Intl.PluralRules('en')

/** A number with its noun: `one` for what the language says of one thing. */
export const count = (number: number, one: string, other: string): string =>
  `${number.toLocaleString('en')} ${plural.select(number) === 'one' ? one : other}`

export const list = new Intl.ListFormat('en')
