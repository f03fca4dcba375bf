/** Formats a count with its noun: `1 message`, `2,000 messages`. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
