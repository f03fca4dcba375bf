import type { TargetedKeyboardEvent } from 'preact'
import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { MAX_ITEM_CHARACTERS, openedWidgetForm, type WidgetForm } from '../widget.ts'

const MIN_ITEM_FIELDS = 2
const MAX_ITEM_FIELDS = 20

/** Form for a poll or a to-do list. The last field is always empty, for one more item. */
export function NewWidget({ type, take }: WidgetForm) {
  const [title, setTitle] = useState('')
  const [items, setItems] = useState<readonly string[]>([])
  const fields = Math.min(MAX_ITEM_FIELDS, Math.max(MIN_ITEM_FIELDS, items.length + 1))
  const isPoll = type === 'poll'
  const isReady = title.trim() !== '' || (!isPoll && items.some((item) => item.trim() !== ''))
  const close = (): void => {
    openedWidgetForm.value = undefined
  }
  const change = (index: number, text: string): void => {
    const next = Array.from({ length: Math.max(items.length, index + 1) }, (_, at) => items[at] ?? '')
    next[index] = text
    setItems(next.slice(0, next.findLastIndex((item) => item !== '') + 1))
  }
  return (
    <Dialog title={tl()[type].create} onClose={close}>
      <form
        class="form"
        onKeyDown={goOn}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isReady) return
          close()
          take(commandText(type, title, items))
        }}
      >
        <label class="field">
          <span>{isPoll ? tl().poll.question : tl().todo.title}</span>
          <input
            class="input"
            autofocus
            required={isPoll}
            maxLength={MAX_ITEM_CHARACTERS}
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
        {Array.from({ length: fields }, (_, index) => (
          <label class="field" key={index}>
            <span>{isPoll ? tl().poll.option(index + 1) : tl().todo.task(index + 1)}</span>
            <input
              class="input"
              maxLength={MAX_ITEM_CHARACTERS}
              value={items[index] ?? ''}
              onInput={(event) => change(index, event.currentTarget.value)}
            />
          </label>
        ))}
        <p class="note">{tl()[type].othersAdd}</p>
        <DialogActions action={tl()[type].send} isDisabled={!isReady} onCancel={close} />
      </form>
    </Dialog>
  )
}

/** Returns the text that the server turns into a poll or list: the title, and then a line for each item. */
function commandText(type: WidgetForm['type'], title: string, items: readonly string[]): string {
  const lines = [title, ...items].map((line) => line.replaceAll(/\s+/g, ' ').trim())
  return `/${type} ${lines.filter((line, index) => index === 0 || line !== '').join('\n')}`
}

/** Ctrl+Enter sends. Enter goes to the next field and then to the button: it sends no poll without its options. */
function goOn(event: TargetedKeyboardEvent<HTMLFormElement>): void {
  const { key, target, currentTarget: form } = event
  if (key !== 'Enter' || event.isComposing || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  if (event.ctrlKey || event.metaKey) return form.requestSubmit()
  const fields = [...form.querySelectorAll('input')]
  const next = target.value === '' ? undefined : fields[fields.indexOf(target) + 1]
  ;(next ?? form.querySelector<HTMLElement>('[type=submit]'))?.focus()
}
