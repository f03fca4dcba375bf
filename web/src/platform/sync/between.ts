/**
 * Lets the tabs of this browser tell each other something beside the events.
 * @returns what tells the others
 */
export function between<Told>(name: string, hear: (told: Told) => void): (told: Told) => void {
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => hear(data))
  return (told) => channel.postMessage(told)
}
