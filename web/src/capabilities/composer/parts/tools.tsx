import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { IconName } from '../../../kernel/icons.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { withPart } from '../../../platform/dom/lazy.tsx'
import { keyHint, keyLabel, titleWithHint } from '../../../platform/keys/keys.ts'
import { openMenu } from '../../../platform/overlay/menu.tsx'
import { FORMAT_KEYS, type FormatName } from '../formats.ts'
import { pickEmojiText } from '../../reactions/picking.ts'
import { canSend, excessCharacters } from '../actions.ts'
import { enterSends } from '../state.ts'
import type { ComposedText } from '../composed-text.ts'
import type { Composition } from '../composition.ts'

interface ToolsProps {
  readonly writing: ComposedText
  readonly isNew?: boolean
  /** Buttons for the whole text, such as Send and Cancel. */
  readonly children: ComponentChildren
}

export function Tools({ writing, isNew = false, children }: ToolsProps) {
  const [hasFormats, setFormats] = useState(false)
  const tooMany = excessCharacters(writing.content)
  return (
    <div class={hasFormats ? 'composer-tools has-formats' : 'composer-tools'}>
      <InsertButtons writing={writing} isNew={isNew} />
      <button
        class="icon-button composer-format"
        type="button"
        aria-label={t().format.label}
        aria-pressed={hasFormats}
        title={t().format.label}
        onClick={() => setFormats(!hasFormats)}
      >
        <Icon name="format" />
      </button>
      <FormatBar writing={writing} />
      <button
        class="icon-button"
        type="button"
        aria-label={t().composer.preview}
        aria-pressed={writing.hasPreview.value}
        title={t().composer.preview}
        onClick={() => {
          writing.hasPreview.value = !writing.hasPreview.value
        }}
      >
        <Icon name="eye" />
      </button>
      {tooMany > 0 && (
        <span class="composer-warning" role="alert">
          {t().composer.tooLong(tooMany)}
        </span>
      )}
      <span class="composer-gap" />
      {children}
    </div>
  )
}

function InsertButtons({ writing, isNew }: { readonly writing: ComposedText; readonly isNew: boolean }) {
  const files = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        class="icon-button composer-attach"
        type="button"
        aria-label={t().composer.attach}
        title={t().composer.attach}
        onClick={() => files.current?.click()}
      >
        <Icon name="attach" />
      </button>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          writing.upload([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <button
        class="icon-button"
        type="button"
        aria-label={t().search.emoji}
        title={t().search.emoji}
        onClick={(event) => pickEmojiText(event.currentTarget, (text) => writing.insert(`${text} `))}
      >
        <Icon name="smile" />
      </button>
      <button
        class="icon-button"
        type="button"
        aria-label={t().composer.insert}
        aria-haspopup="menu"
        title={t().composer.insert}
        onClick={({ currentTarget }) =>
          void withPart(import('../insertions.ts'), ({ insertionItems }) =>
            openMenu(currentTarget, t().composer.insert, insertionItems(writing, files.current, isNew)),
          )
        }
      >
        <Icon name="plus" />
      </button>
    </>
  )
}

export function SendButtons({ writing }: { readonly writing: Composition }) {
  const isReady = canSend(writing)
  // Sending then asks for the destination.
  const isUndirected = writing.conversation === undefined && writing.text.value.trim() !== ''
  return (
    <>
      <button
        class="composer-keys"
        type="button"
        title={t().composer.changeKeys}
        onClick={() => void enterSends.write(!enterSends.read())}
      >
        {enterSends.read() ? t().composer.enterSends : t().composer.ctrlEnterSends(keyLabel('Ctrl+Enter'))}
      </button>
      <button
        class="icon-button"
        type="button"
        disabled={!isReady}
        aria-label={t().later.send}
        aria-haspopup="menu"
        title={t().later.send}
        onClick={({ currentTarget: from }) =>
          void withPart(import('../../scheduled-messages/actions.ts'), ({ chooseSendTime }) =>
            chooseSendTime(from, writing),
          )
        }
      >
        <Icon name="recent" />
      </button>
      <button
        class="composer-send"
        type="submit"
        disabled={!isReady && !isUndirected}
        aria-label={t().composer.send}
        title={t().composer.send}
      >
        <Icon name="send" />
      </button>
    </>
  )
}

const BUTTONS: readonly { readonly name: FormatName; readonly icon: IconName }[] = [
  { name: 'bold', icon: 'bold' },
  { name: 'italic', icon: 'italic' },
  { name: 'strike', icon: 'strike' },
  { name: 'link', icon: 'link' },
  { name: 'code', icon: 'code' },
  { name: 'quote', icon: 'quote' },
  { name: 'list', icon: 'list' },
]

/** Tab reaches one button, and arrow keys move between buttons. */
function FormatBar({ writing }: { readonly writing: ComposedText }) {
  const [current, setCurrent] = useState(0)
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return
    event.preventDefault()
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl'
    const next = (current + (isMirrored ? -step : step) + BUTTONS.length) % BUTTONS.length
    setCurrent(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div class="format-bar" role="toolbar" aria-label={t().format.label} onKeyDown={move}>
      {BUTTONS.map(({ name, icon }, index) => {
        const key = Object.entries(FORMAT_KEYS).find(([, format]) => format === name)?.[0]
        const title = t().format[name]
        return (
          <button
            key={name}
            class="icon-button"
            type="button"
            tabIndex={index === current ? 0 : -1}
            aria-label={title}
            title={titleWithHint(title, keyHint(key))}
            onClick={() => {
              setCurrent(index)
              writing.format(name)
            }}
          >
            <Icon name={icon} size={16} />
          </button>
        )
      })}
    </div>
  )
}
