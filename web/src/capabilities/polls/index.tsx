import type { Capability } from '../../kernel/capability.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { PollView } from './parts/poll.tsx'
import { openedPollForm, readPoll } from './state.ts'

const NewPoll = lazily(
  async () => (await import('./parts/new-poll.tsx')).NewPoll,
  () => null,
)

export const polls: Capability = {
  name: 'polls',
  overlays: [() => (openedPollForm.value === undefined ? null : <NewPoll />)],
  messageBody: (message) => {
    const poll = readPoll(message)
    return poll === undefined ? undefined : <PollView message={message} poll={poll} />
  },
}
