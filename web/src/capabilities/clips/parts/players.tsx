import { render } from 'preact'
import { followPlayback } from '../playback.ts'
import { Player, SpeedButton } from './player.tsx'

/** Adds players to a message's sounds, and speed buttons to its videos, until `removed` is aborted. */
export function mountPlayers(content: HTMLElement, removed: AbortSignal): void {
  if (removed.aborted) return
  for (const box of content.querySelectorAll<HTMLElement>('.clip')) mountPlayer(box, removed)
  for (const film of content.querySelectorAll('video')) mountSpeedButton(film, removed)
}

function mountPlayer(box: HTMLElement, removed: AbortSignal): void {
  const source = box.querySelector('audio')?.src ?? ''
  box.replaceChildren()
  render(<Player source={source} />, box)
  removed.addEventListener('abort', () => render(null, box))
}

function mountSpeedButton(film: HTMLVideoElement, removed: AbortSignal): void {
  const box = document.createElement('span')
  film.after(box)
  render(<SpeedButton />, box)
  const stop = followPlayback(film)
  const end = (): void => {
    stop()
    render(null, box)
    box.remove()
  }
  film.addEventListener('error', end)
  removed.addEventListener('abort', end)
}
