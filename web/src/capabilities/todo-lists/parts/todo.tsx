import { useRef, useState } from 'preact/hooks'
import type { Message } from '../../../kernel/message.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { isInArchivedChannel } from '../../channels/state.ts'
import { MAX_ITEM_CHARACTERS, type Widget } from '../../messages/widget.ts'
import { ownId } from '../../users/state.ts'
import { addTask, hasTask, renameList, toggleTask, readTodoList, type Task, type TodoList } from '../state.ts'
import './todo.css'

const MAX_DESCRIPTION_CHARACTERS = 1_000

export function TodoView({ message, widget }: { readonly message: Message; readonly widget: Widget }) {
  const list = readTodoList(message, widget)
  const isFixed = isInArchivedChannel(message)
  return (
    <div class="todo" role="group" aria-label={t().messages.widgets.todo(list.title)}>
      <Title message={message} list={list} isFixed={isFixed || message.sender_id !== ownId()} />
      <ul>
        {list.tasks.map((task) => (
          <TaskLine key={task.key} message={message} task={task} isFixed={isFixed} />
        ))}
      </ul>
      {!isFixed && <NewTask message={message} list={list} />}
    </div>
  )
}

interface TitleProps {
  readonly message: Message
  readonly list: TodoList
  readonly isFixed: boolean
}

function Title({ message, list, isFixed }: TitleProps) {
  const [edited, setEdited] = useState<string>()
  const opener = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setEdited(undefined)
    // The button reappears with the next paint.
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (edited === undefined) {
    return (
      <div class="todo-head">
        <strong dir="auto">{list.title === '' ? t().messages.widgets.todo('') : list.title}</strong>
        {!isFixed && (
          <button
            ref={opener}
            class="icon-button"
            aria-label={tl().todo.editTitle}
            onClick={() => setEdited(list.title)}
          >
            <Icon name="edit" />
          </button>
        )}
      </div>
    )
  }
  return (
    <form
      class="todo-form"
      onSubmit={(event) => {
        event.preventDefault()
        close()
        if (edited.trim() !== list.title) void renameList(message, list, edited.trim())
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <input
        class="input"
        autofocus
        aria-label={tl().todo.title}
        maxLength={MAX_ITEM_CHARACTERS}
        value={edited}
        onInput={(event) => setEdited(event.currentTarget.value)}
      />
      <button class="button" type="submit">
        {tl().todo.save}
      </button>
    </form>
  )
}

interface TaskProps {
  readonly message: Message
  readonly task: Task
  readonly isFixed: boolean
}

function TaskLine({ message, task, isFixed }: TaskProps) {
  return (
    <li>
      <label class={task.isDone ? 'todo-task is-done' : 'todo-task'}>
        <input
          type="checkbox"
          checked={task.isDone}
          disabled={isFixed}
          onChange={() => void toggleTask(message, task)}
        />
        <span>
          <bdi>{task.text}</bdi>
          {task.description !== '' && (
            <span class="note">
              {' '}
              <bdi>{task.description}</bdi>
            </span>
          )}
        </span>
      </label>
    </li>
  )
}

function NewTask({ message, list }: { readonly message: Message; readonly list: TodoList }) {
  const [text, setText] = useState('')
  const [description, setDescription] = useState('')
  const first = useRef<HTMLInputElement>(null)
  const isKnown = hasTask(list.tasks, text.trim())
  return (
    <form
      class="todo-form"
      onSubmit={(event) => {
        event.preventDefault()
        const task = { text: text.trim(), description: description.trim() }
        if (task.text === '' || isKnown) return
        setText('')
        setDescription('')
        first.current?.focus()
        void addTask(message, list, task)
      }}
    >
      <input
        ref={first}
        class="input"
        aria-label={tl().todo.newTask}
        placeholder={tl().todo.newTask}
        maxLength={MAX_ITEM_CHARACTERS}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <input
        class="input"
        aria-label={tl().todo.description}
        placeholder={tl().todo.description}
        maxLength={MAX_DESCRIPTION_CHARACTERS}
        value={description}
        onInput={(event) => setDescription(event.currentTarget.value)}
      />
      <button class="button" type="submit" disabled={text.trim() === '' || isKnown}>
        {tl().todo.add}
      </button>
      {isKnown && (
        <p class="note" role="status">
          {tl().todo.isThere}
        </p>
      )}
    </form>
  )
}
