/** An SQL text whose parameters are numbered, with their names in that order. */
export interface NamedStatement {
  readonly text: string
  readonly parameters: readonly string[]
}

/** Numbers the parameters of a text that is put together of parts and calls them by names: `$organization`. */
export function numbered(text: string): NamedStatement {
  const parameters: string[] = []
  return {
    text: text.replaceAll(/\$([a-z]\w*)/g, (_, name: string) => {
      if (!parameters.includes(name)) parameters.push(name)
      return `$${parameters.indexOf(name) + 1}`
    }),
    parameters,
  }
}

/** What a statement's parameters are, of values by name. */
export function valuesOf({ parameters }: NamedStatement, values: Readonly<Record<string, unknown>>): unknown[] {
  return parameters.map((name) => {
    if (!(name in values)) throw new Error(`the statement's $${name} has no value`)
    return values[name]
  })
}
