/** Gives the focus to the message above or below the one that has it, or to the last one in view. */
export function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.list [data-row]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const target = at === -1 ? rows.findLast(isInView) : rows[Math.max(0, Math.min(rows.length - 1, at + step))]
  target?.focus()
}

function isInView(row: HTMLElement): boolean {
  const { top } = row.getBoundingClientRect()
  return top >= 0 && top < window.innerHeight
}
