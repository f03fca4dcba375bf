import { useEffect, useRef, useState } from 'preact/hooks'
import { tl } from '../../kernel/later-texts.ts'
import { keepFocus } from './growing-field.tsx'
import { Icon } from './icons.tsx'

interface PasswordFieldProps {
  readonly id: string
  readonly name?: string
  readonly autocomplete: 'current-password' | 'new-password'
  readonly required?: boolean
  readonly autofocus?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly value?: string
  readonly onInput?: (event: { readonly currentTarget: HTMLInputElement }) => void
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: boolean
}

/** Password field with a button that shows the password until the form is sent. Label the field by its ID. */
export function PasswordField(attributes: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const selection = useRef<readonly [number | null, number | null] | undefined>(undefined)
  useEffect(() => {
    const form = field.current?.form
    const hide = (): void => {
      // Set before the next render, so that password managers recognize the password.
      if (field.current !== null) field.current.type = 'password'
      setShown(false)
    }
    for (const type of ['submit', 'reset']) form?.addEventListener(type, hide, { capture: true })
    return () => {
      for (const type of ['submit', 'reset']) form?.removeEventListener(type, hide, { capture: true })
    }
  }, [])
  useEffect(() => {
    const { current: kept } = selection
    selection.current = undefined
    if (kept === undefined) return undefined
    // After a change of the type, Chromium moves the caret to the start with the next layout.
    const frame = requestAnimationFrame(() => field.current?.setSelectionRange(...kept))
    return () => cancelAnimationFrame(frame)
  }, [isShown])
  const toggle = (): void => {
    const { current: input } = field
    if (input !== null) selection.current = [input.selectionStart, input.selectionEnd]
    setShown(!isShown)
  }
  const common = { ...attributes, ref: field, class: 'input', autocapitalize: 'none', spellcheck: false } as const
  return (
    <span class="password-field" onMouseDown={keepFocus}>
      {isShown ? <input {...common} type="text" /> : <input {...common} type="password" />}
      <button class="icon-button" type="button" aria-pressed={isShown} title={tl().signIn.show} onClick={toggle}>
        <Icon name="eye" size={18} />
        {/* Not a label, which would count as a label of the field for some tools. */}
        <span class="visually-hidden">{tl().signIn.show}</span>
      </button>
    </span>
  )
}
