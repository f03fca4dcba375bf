/** Gives the focus to the row above or below the one that has it: a message, or a conversation in a list of them. */
export function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const target = at === -1 ? firstOf(rows) : rows[Math.max(0, Math.min(rows.length - 1, at + step))]
  target?.focus()
}

/** One reads messages from the end, and lists of conversations from the beginning. */
function firstOf(rows: readonly HTMLElement[]): HTMLElement | undefined {
  return document.querySelector('main .list') === null ? rows.find(isInView) : rows.findLast(isInView)
}

function isInView(row: HTMLElement): boolean {
  const { top } = row.getBoundingClientRect()
  return top >= 0 && top < window.innerHeight
}
