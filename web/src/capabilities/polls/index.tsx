import type { Capability } from '../../kernel/capability.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { widgetOf } from '../messages/widget.ts'
import { openedVoters } from './state.ts'

const PollView = lazily(async () => (await import('./parts/poll.tsx')).PollView)
const Voters = lazily(
  async () => (await import('./parts/poll.tsx')).Voters,
  () => null,
)

export const polls: Capability = {
  name: 'polls',
  overlays: [() => (openedVoters.value === undefined ? null : <Voters {...openedVoters.value} />)],
  messageBody: (message) => (widgetOf(message, 'poll') === undefined ? undefined : <PollView message={message} />),
}
