import { signal } from '@preact/signals'
import type { Command } from '../../kernel/command.ts'
import { placeKey } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { unreadConversations, type UnreadConversation } from './state.ts'

/** What can be done with the conversation that one is at, in the order of the buttons. */
export const STEPS = ['done', 'later', 'mute', 'skip', 'back'] as const
export type Step = (typeof STEPS)[number]

const KEYED: Readonly<Record<Step, Pick<Command, 'id' | 'keys'>>> = {
  done: { id: 'triage.done', keys: ['e'] },
  later: { id: 'triage.later', keys: ['h'] },
  mute: { id: 'triage.mute', keys: ['m'] },
  skip: { id: 'triage.skip', keys: ['n', 'ArrowRight'] },
  back: { id: 'triage.back', keys: ['ArrowLeft'] },
}

/** What the steps do now; undefined where one does not go through anything. */
export const triage = signal<
  { readonly run: (step: Step) => void; readonly can: (step: Step) => boolean; readonly leave: () => void } | undefined
>(undefined)

export function commandOf(step: Step): Command {
  return {
    ...KEYED[step],
    title: () => `${t().nav.triage}: ${t().triage[step]}`,
    when: () => triage.value?.can(step) === true,
    run: () => triage.value?.run(step),
  }
}

export const TRIAGE_COMMANDS: readonly Command[] = [
  ...STEPS.map(commandOf),
  {
    id: 'triage.leave',
    title: () => `${t().nav.triage}: ${t().triage.leave}`,
    keys: ['Escape'],
    when: () => triage.value !== undefined,
    run: () => triage.value?.leave(),
  },
]

/** What is to be gone through: what is for oneself first, then what is newest. What is muted is left out. */
export function triageQueue(without: ReadonlySet<string>): readonly UnreadConversation[] {
  const waiting = unreadConversations.value.filter(({ place, isMuted }) => !isMuted && !without.has(placeKey(place)))
  const isMine = ({ place, mentions }: UnreadConversation): boolean => place.view === 'direct' || mentions > 0
  return [...waiting.filter(isMine), ...waiting.filter((one) => !isMine(one))]
}
