import { count } from '../numbers.ts'

export const measurements = {
  title: 'Performance',
  here: 'How fast Parley is for you',
  note: 'Measured in this tab since you opened it. Nothing is sent unless you copy it.',
  what: 'Measurement',
  value: 'Here',
  goal: 'Goal',
  missed: 'slower than the goal',
  unknown: 'not measured yet',
  // A no-break space keeps the value in one line in a narrow column.
  milliseconds: (milliseconds: number) => `${Math.round(milliseconds).toLocaleString('en')}\u00a0ms`,
  megabytes: (megabytes: number) => `${megabytes.toLocaleString('en', { maximumFractionDigits: 1 })}\u00a0MB`,
  atMost: (value: string) => `≤\u00a0${value}`,
  middle: (times: number) => (times === 0 ? undefined : `median of ${times.toLocaleString('en')}`),
  nearlyAll: (times: number) => (times === 0 ? undefined : `98th percentile of ${times.toLocaleString('en')}`),
  start: 'Opening the page',
  interaction: 'Response to a key or click',
  delivery: 'Delivering a message to everyone',
  answer: 'Server response time',
  longTasks: 'Unresponsive for more than 50 ms',
  times: (times: number, longest: number) =>
    times === 0 ? 'never' : `${count(times, 'time', 'times')}, at most ${Math.round(longest).toLocaleString('en')} ms`,
  memory: 'Memory',
  holding: (people: number, messages: number) =>
    `with ${count(people, 'person', 'people')} and ${count(messages, 'message', 'messages')}`,
  copy: 'Copy measurements',
  copied: 'Measurements copied',
}
