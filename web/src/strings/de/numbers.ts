const plural = new Intl.PluralRules('de')

/** The language decides which numbers use `one`. */
export const count = (number: number, one: string, other: string): string =>
  `${number.toLocaleString('de')} ${plural.select(number) === 'one' ? one : other}`

export const list = new Intl.ListFormat('de')
