/** Gives the focus to a part of the destination, at once where it is on the screen, else as soon as it is. */
export function focusPart(part: 'channel' | 'topic' | 'people'): void {
  const fieldOf = () => document.querySelector<HTMLElement>(`[data-destination="${part}"] input`)
  const field = fieldOf()
  if (field === null) requestAnimationFrame(() => fieldOf()?.focus())
  else field.focus()
}
