import type { Capability } from '../../kernel/capability.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { widgetOf } from '../messages/widget.ts'
import { openedPollForm, openedVoters } from './state.ts'

const PollView = lazily(async () => (await import('./parts/poll.tsx')).PollView)
const NewPoll = lazily(
  async () => (await import('./parts/new-poll.tsx')).NewPoll,
  () => null,
)
const Voters = lazily(
  async () => (await import('./parts/poll.tsx')).Voters,
  () => null,
)

export const polls: Capability = {
  name: 'polls',
  overlays: [
    () => (openedPollForm.value === undefined ? null : <NewPoll />),
    () => (openedVoters.value === undefined ? null : <Voters {...openedVoters.value} />),
  ],
  messageBody: (message) => (widgetOf(message, 'poll') === undefined ? undefined : <PollView message={message} />),
}
