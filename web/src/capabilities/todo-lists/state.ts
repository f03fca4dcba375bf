import { tl } from '../../kernel/later-texts.ts'
import type { Message } from '../../kernel/message.ts'
import { listIn, objectOrEmpty, textIn, type Widget } from '../messages/widget.ts'
import { addToWidget, changeWidget } from '../messages/widget-changes.ts'
import { ownId } from '../users/state.ts'

export interface Task {
  /** Key in submessages: `<number>,<author>`, or `<index>,canned` for the initial tasks. */
  readonly key: string
  readonly text: string
  readonly description: string
  readonly isDone: boolean
}

export interface TodoList {
  readonly title: string
  readonly tasks: readonly Task[]
}

export function readTodoList({ sender_id: author }: Message, { data, added }: Widget): TodoList {
  let title = textIn(data, 'task_list_title')
  const tasks = new Map<string, Task>()
  const add = (key: string, text: string, description: string): void => {
    // Skips duplicate tasks, as other clients do.
    if (text !== '' && !hasTask([...tasks.values()], text)) tasks.set(key, { key, text, description, isDone: false })
  }
  for (const [index, given] of listIn(data, 'tasks').entries()) {
    const task = objectOrEmpty(given)
    add(`${index},canned`, textIn(task, 'task'), textIn(task, 'desc'))
  }
  for (const { sender, data: change } of added) {
    if (change['type'] === 'new_task_list_title' && sender === author) title = textIn(change, 'title')
    if (change['type'] === 'new_task')
      add(`${String(change['key'])},${sender}`, textIn(change, 'task'), textIn(change, 'desc'))
    const struck = change['type'] === 'strike' ? tasks.get(String(change['key'])) : undefined
    if (struck !== undefined) tasks.set(struck.key, { ...struck, isDone: !struck.isDone })
  }
  return { title, tasks: [...tasks.values()] }
}

export function hasTask(tasks: readonly Task[], text: string): boolean {
  return tasks.some((task) => task.text === text)
}

export async function toggleTask(message: Message, { key, text, isDone }: Task): Promise<void> {
  const strike = { type: 'strike', key }
  await changeWidget(message, strike, strike, isDone ? tl().todo.wasUnchecked(text) : tl().todo.wasChecked(text))
}

export async function addTask(
  message: Message,
  { tasks }: TodoList,
  task: { readonly text: string; readonly description: string },
): Promise<boolean> {
  const own = tasks.filter(({ key }) => key.endsWith(`,${ownId()}`)).map(({ key }) => Number.parseInt(key, 10))
  const key = Math.max(0, ...own.filter(Number.isFinite)) + 1
  return addToWidget(message, { type: 'new_task', key, task: task.text, desc: task.description, completed: false })
}

export async function renameList(message: Message, list: TodoList, title: string): Promise<void> {
  const name = (to: string) => ({ type: 'new_task_list_title', title: to })
  await changeWidget(message, name(title), name(list.title), tl().todo.wasRenamed)
}
