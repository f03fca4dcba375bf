/** Focuses a destination field, immediately or in the next frame, once it is rendered. */
export function focusPart(part: 'channel' | 'topic' | 'people'): void {
  const fieldOf = () => document.querySelector<HTMLElement>(`[data-destination="${part}"] input`)
  const field = fieldOf()
  if (field === null) requestAnimationFrame(() => fieldOf()?.focus())
  else field.focus()
}
