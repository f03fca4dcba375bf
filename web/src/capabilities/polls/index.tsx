import type { Capability } from '../../kernel/capability.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { openedPollForm, openedVoters, readPoll } from './state.ts'

const PollView = lazily(async () => (await import('./parts/poll.tsx')).PollView)
const NewPoll = lazily(
  async () => (await import('./parts/new-poll.tsx')).NewPoll,
  () => null,
)
const Voters = lazily(
  async () => (await import('./parts/voters.tsx')).Voters,
  () => null,
)

export const polls: Capability = {
  name: 'polls',
  overlays: [
    () => (openedPollForm.value === undefined ? null : <NewPoll />),
    () => (openedVoters.value === undefined ? null : <Voters {...openedVoters.value} />),
  ],
  messageBody: (message) => {
    const poll = readPoll(message)
    return poll === undefined ? undefined : <PollView message={message} poll={poll} />
  },
}
