import { useEffect, useRef, useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { placeKey } from '../../../kernel/route.ts'
import { keepFocus } from '../../../platform/dom/growing-field.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { offerUndo } from '../../../platform/undo.ts'
import { fetchSource, openedDialog, type DialogProps } from '../../message-edits/state.ts'
import { sendMessage } from '../../messages/outbox.ts'
import { expectRendering } from '../../messages/rendering.ts'
import { previewOf } from '../../muted-users/state.ts'
import { excessCharacters, focusMissingPart, offerSentConversation } from '../actions.ts'
import { ForwardedText } from '../forwarded-text.ts'
import { useDroppedFiles } from '../pasting.ts'
import { mayWriteIn } from '../rights.ts'
import { conversationOnScreen, isSendKey } from '../state.ts'
import { Field } from './field.tsx'
import { Recipients } from './recipients.tsx'
import { Tools } from './tools.tsx'
import { Uploads } from './uploads.tsx'
import { Preview, Warnings } from './warnings.tsx'
import './quote.css'

/** Canceled forward that Undo opens again. */
let restored: ForwardedText | undefined

function takeRestored(): ForwardedText | undefined {
  const taken = restored
  restored = undefined
  return taken
}

export function Forward({ message, onClose }: DialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [writing] = useState(() => takeRestored() ?? new ForwardedText(message))
  useEffect(() => {
    if (writing.conversation !== undefined) writing.field?.focus()
    expectRendering()
    void fetchSource(message).then((source) => {
      if (source === undefined) onClose()
      else writing.source.value = source
    })
  }, [])
  useDroppedFiles(writing, form)
  const { conversation, source, hasPreview } = writing
  const isReady = source.value !== undefined && conversation !== undefined && mayWriteIn(conversation)
  const cancel = (): void => {
    onClose()
    if (writing.text.peek().trim() === '') return
    offerUndo(tl().forward.discarded, async () => {
      restored = writing
      openedDialog.value = { name: 'forward', message }
    })
  }
  return (
    <Dialog title={tl().forward.title} class="forward-dialog" onClose={cancel}>
      <form
        ref={form}
        class="forward"
        data-drop-area
        onMouseDown={keepFocus}
        onSubmit={(event) => {
          event.preventDefault()
          void sendForward(writing, onClose)
        }}
      >
        <div class="composer-box">
          <Recipients writing={writing} />
          <div class="composer-text">
            <Field
              writing={writing}
              label={tl().forward.comment}
              placeholder={tl().forward.addComment}
              onKey={(event) => {
                const isSent = isSendKey(event)
                if (isSent) void sendForward(writing, onClose)
                return isSent
              }}
            />
          </div>
          <Original message={message} />
          {writing.uploads.length > 0 && <Uploads writing={writing} />}
          <Notes writing={writing} />
          <Warnings writing={writing} />
          {hasPreview.value && <Preview text={writing.content} />}
          <Tools writing={writing}>
            <button class="button primary" type="submit" disabled={!isReady}>
              {t().messages.forward}
            </button>
          </Tools>
        </div>
      </form>
    </Dialog>
  )
}

async function sendForward(writing: ForwardedText, close: () => void): Promise<void> {
  await writing.insertion
  const { conversation, content } = writing
  if (writing.source.peek() === undefined || excessCharacters(content) > 0) return
  if (conversation === undefined) return focusMissingPart(writing.destination.peek())
  if (!mayWriteIn(conversation)) return
  if (writing.isUploading) return writing.queue(() => void sendForward(writing, close))
  sendMessage(conversation, content)
  close()
  const shown = conversationOnScreen()
  if (shown === undefined || placeKey(shown) !== placeKey(conversation)) offerSentConversation(conversation)
}

function Original({ message }: Pick<DialogProps, 'message'>) {
  const { author, text } = previewOf(message)
  return (
    <p class="composer-quote" role="group" aria-label={tl().forward.original}>
      <span class="quote-line">
        <bdi class="quote-author">{author}</bdi> <bdi>{text}</bdi>
      </span>
    </p>
  )
}

function Notes({ writing }: { readonly writing: ForwardedText }) {
  const { conversation, hiddenOrigin, source } = writing
  const notes = [
    conversation !== undefined && hiddenOrigin !== undefined && tl().forward[hiddenOrigin],
    source.value?.includes('(/user_uploads/') === true && tl().forward.files,
  ]
  return notes.map((note) => note !== false && <p class="note forward-note">{note}</p>)
}
