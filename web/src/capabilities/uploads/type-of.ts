/** What kind of file it is, as its name or its address says; nothing where it does not. */
export function typeOf(name: string): string {
  const [, ending = ''] = /[^./]\.([a-z0-9]{1,5})$/i.exec(name) ?? []
  return ending.toUpperCase()
}
