import type { Capability } from '../../kernel/capability.ts'
import { PollView } from './parts/poll.tsx'
import { pollOf } from './state.ts'

export const polls: Capability = {
  name: 'polls',
  messageBody: (message) => {
    const poll = pollOf(message)
    return poll === undefined ? undefined : <PollView message={message} poll={poll} />
  },
}
