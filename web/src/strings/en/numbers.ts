const plural = new Intl.PluralRules('en')

/** The language decides which numbers use `one`. */
export const count = (number: number, one: string, other: string): string =>
  `${number.toLocaleString('en')} ${plural.select(number) === 'one' ? one : other}`

export const list = new Intl.ListFormat('en')
