/** A file's type by its extension; empty if unknown. */
export function typeOf(name: string): string {
  const [, ending = ''] = /[^./]\.([a-z0-9]{1,5})$/i.exec(name) ?? []
  return ending.toUpperCase()
}
