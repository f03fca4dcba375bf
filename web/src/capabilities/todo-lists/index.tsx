import type { Capability } from '../../kernel/capability.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { widgetOf } from '../messages/widget.ts'

const TodoView = lazily(async () => (await import('./parts/todo.tsx')).TodoView)

export const todoLists: Capability = {
  name: 'todo-lists',
  messageBody: (message) => {
    const widget = widgetOf(message, 'todo')
    return widget === undefined ? undefined : <TodoView message={message} widget={widget} />
  },
}
