/**
 * Lets the tabs of this browser tell each other something beside the events.
 * @returns what tells the others
 */
export function between<Told>(name: string, hear: (told: Told) => void): (told: Told) => void {
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => hear(data))
  return (told) => channel.postMessage(told)
}

/** Does something that the tabs of this browser do one after the other, where the browser has locks. */
export async function inTurn(name: string, work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(name, work)
  else await work()
}
