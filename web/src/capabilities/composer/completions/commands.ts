import { t } from '../../../kernel/strings.ts'
import type { Suggestion } from './suggestion.ts'

export function commands(typed: string): readonly Suggestion[] {
  const all = [
    { name: 'poll', detail: t().composer.commandPoll },
    { name: 'todo', detail: t().composer.commandTodo },
    { name: 'me', detail: t().composer.commandMe },
  ]
  return all
    .filter(({ name }) => name.startsWith(typed.toLowerCase()))
    .map(({ name, detail }) => ({ key: name, label: `/${name}`, detail, text: `/${name} ` }))
}
