import { binaryArray, isElementType, type ElementType } from './arrays.ts'

export interface NamedStatement {
  readonly text: string
  readonly parameters: readonly Parameter[]
}

interface Parameter {
  readonly name: string
  readonly elements: ElementType | undefined
}

/** Replaces named parameters, such as `$organization` or `$topics::text[]`, with numbers. */
export function numberParameters(text: string): NamedStatement {
  const parameters: Parameter[] = []
  return {
    text: text.replaceAll(/\$([a-z]\w*)(?:::(\w+)\[\])?/g, (called, name: string, type: string | undefined) => {
      const cast = called.slice(1 + name.length)
      const before = parameters.findIndex((parameter) => parameter.name === name)
      if (before !== -1) return `$${before + 1}${cast}`
      parameters.push({ name, elements: type !== undefined && isElementType(type) ? type : undefined })
      return `$${parameters.length}${cast}`
    }),
    parameters,
  }
}

export function valuesOf({ parameters }: NamedStatement, values: Readonly<Record<string, unknown>>): unknown[] {
  return parameters.map(({ name, elements }) => {
    if (!(name in values)) throw new Error(`the parameter $${name} of the statement has no value`)
    const value = values[name]
    return elements !== undefined && Array.isArray(value) ? binaryArray(elements, value) : value
  })
}
