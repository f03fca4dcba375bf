/** Opens a channel to the other tabs of this browser. @returns a function that sends to them */
export function between<Told>(name: string, hear: (told: Told) => void): (told: Told) => void {
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => hear(data))
  return (told) => channel.postMessage(told)
}

/** Runs work in one tab at a time, if the browser supports locks. */
export async function inTurn(name: string, work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(name, work)
  else await work()
}
