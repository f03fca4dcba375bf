import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { tl } from '../../kernel/later-texts.ts'
import { useRefusal } from '../overlay/refusal.tsx'
import { offerUndo } from '../undo.ts'

interface TextEditorProps {
  readonly label: string
  readonly id?: string | undefined
  readonly describedBy?: string | undefined
  readonly value: string
  readonly maxLength: number
  readonly isDate?: boolean
  readonly inputMode?: 'text' | 'url' | undefined
  readonly hint?: string
  readonly isLong?: boolean | undefined
  readonly isRequired?: boolean | undefined
  readonly isFixed?: boolean
  readonly save: (text: string) => Promise<unknown>
}

/** Text field that saves on blur or Enter, and on Escape returns to the saved text. */
export function TextEditor({
  label,
  id,
  describedBy,
  value,
  isDate = false,
  inputMode = 'text',
  hint,
  isLong = false,
  isRequired = false,
  isFixed = false,
  save,
  maxLength,
}: TextEditorProps) {
  const [text, setText] = useState(value)
  const [refusal, run] = useRefusal()
  const known = useRef(value)
  // A new value from elsewhere does not overwrite text that is being edited.
  useLayoutEffect(() => {
    const { current: before } = known
    known.current = value
    setText((present) => (present === before ? value : present))
  }, [value])
  const finish = async (): Promise<void> => {
    const trimmed = text.trim()
    if (trimmed === value) return
    let result: unknown
    const isAccepted = await run(async () => {
      result = await save(trimmed)
    })
    if (isAccepted && result !== 'refused') offerUndo(tl().settings.changed(label), async () => save(value))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !isLong) void finish()
    if (event.key !== 'Escape' || text === value) return
    setText(value)
    // A second Escape closes the dialog.
    event.preventDefault()
    event.stopPropagation()
  }
  const props = {
    id,
    class: 'input',
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': refusal !== null,
    placeholder: hint,
    maxLength,
    required: isRequired,
    readOnly: isFixed,
    value: text,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      setText(currentTarget.value),
    onBlur: () => void finish(),
    onKeyDown,
  }
  return (
    <>
      {isLong && <textarea {...props} rows={3} />}
      {isDate && <input {...props} type="date" />}
      {!isLong && !isDate && <input {...props} inputMode={inputMode} />}
      {refusal}
    </>
  )
}

export function TextField(props: TextEditorProps) {
  return (
    <div class="field">
      <span>{props.label}</span>
      <TextEditor {...props} />
    </div>
  )
}
