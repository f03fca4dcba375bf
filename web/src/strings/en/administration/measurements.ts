import { count } from '../numbers.ts'

export const measurements = {
  title: 'Speed',
  here: 'How fast Parley is for you',
  note: 'Measured in this tab since it was opened. These numbers leave it only when you copy them.',
  what: 'What',
  value: 'Here',
  goal: 'Goal',
  missed: 'slower than it should be',
  unknown: 'not yet',
  // In one line, also in a narrow column.
  milliseconds: (milliseconds: number) => `${Math.round(milliseconds).toLocaleString('en')}\u00a0ms`,
  megabytes: (megabytes: number) => `${megabytes.toLocaleString('en', { maximumFractionDigits: 1 })}\u00a0MB`,
  atMost: (value: string) => `≤\u00a0${value}`,
  middle: (times: number) => (times === 0 ? undefined : `the middle of ${times.toLocaleString('en')}`),
  nearlyAll: (times: number) => (times === 0 ? undefined : `nearly all of ${times.toLocaleString('en')}`),
  start: 'From opening the page to seeing it',
  interaction: 'From a key or a click to what it does',
  delivery: 'From sending a message to everybody having it',
  answer: 'Until the server answers',
  longTasks: 'Longer than 50 ms without an answer',
  times: (times: number, longest: number) =>
    times === 0 ? 'never' : `${count(times, 'time', 'times')}, at most ${Math.round(longest).toLocaleString('en')} ms`,
  memory: 'Memory',
  holding: (people: number, messages: number) =>
    `with ${count(people, 'person', 'people')} and ${count(messages, 'message', 'messages')}`,
  copy: 'Copy the numbers',
  copied: 'The numbers were copied',
}
