import { linkifiers as contract } from '@parley/server/contract'
import { useState, useEffect, useRef } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import type { RenderingSettings } from '../../../kernel/rendering.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { OrderedList } from '../../../platform/list/ordered.tsx'
import { EmptyState } from '../../../platform/list/states.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { Renderer } from '../../../platform/rendering.ts'
import { Content } from '../../messages/parts/shown.tsx'
import { renderingContext } from '../../messages/renderer.ts'
import {
  addLinkifier,
  changeLinkifier,
  reorderLinkifiers,
  removeLinkifier,
  type LinkifierDraft,
  type Linkifier,
} from '../actions.ts'
import './linkifiers.css'

const EMPTY_DRAFT: LinkifierDraft = { pattern: '', url_template: '' }

export function Linkifiers() {
  const [typed, setTyped] = useState(EMPTY_DRAFT)
  const [editing, setEditing] = useState<number>()
  const [refusal, run] = useRefusal()
  const all = store().read('realm_linkifiers')
  const begin = (linkifier?: Linkifier): void => {
    setEditing(linkifier?.id)
    setTyped(linkifier ?? EMPTY_DRAFT)
  }
  const save = async (): Promise<void> => {
    const { pattern, url_template } = typed
    const draft = { pattern: pattern.trim(), url_template: url_template.trim() }
    if (await run(async () => (editing === undefined ? addLinkifier(draft) : changeLinkifier(editing, draft)))) begin()
  }
  return (
    <div class="form">
      {all.length === 0 ? (
        <EmptyState icon="link" title={ta().content.noLinkifiers} more={ta().content.noLinkifiersMore} />
      ) : (
        <OrderedList
          label={ta().content.linkifiersAll}
          things={all}
          keyOf={({ id }) => id}
          nameOf={({ pattern }) => pattern}
          onOrder={(ordered) => void run(async () => reorderLinkifiers(ordered))}
        >
          {(linkifier) => (
            <>
              <span class="linkifier">
                <code>{linkifier.pattern}</code>
                <code class="note">{linkifier.url_template}</code>
              </span>
              <button
                class="icon-button"
                aria-label={ta().content.editLinkifier(linkifier.pattern)}
                onClick={() => begin(linkifier)}
              >
                <Icon name="edit" size={16} />
              </button>
              <button
                class="icon-button"
                aria-label={ta().content.removeLinkifier(linkifier.pattern)}
                onClick={() => void run(async () => removeLinkifier(linkifier))}
              >
                <Icon name="delete" size={16} />
              </button>
            </>
          )}
        </OrderedList>
      )}
      <LinkifierEditor
        draft={typed}
        isNew={editing === undefined}
        onChange={setTyped}
        onSave={() => void save()}
        onCancel={() => begin()}
      />
      {refusal}
      <LinkifierTester draft={typed} editing={editing} />
    </div>
  )
}

interface EditorProps {
  readonly draft: LinkifierDraft
  readonly isNew: boolean
  readonly onChange: (draft: LinkifierDraft) => void
  readonly onSave: () => void
  readonly onCancel: () => void
}

function LinkifierEditor({ draft, isNew, onChange, onSave, onCancel }: EditorProps) {
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <label class="field">
        <span>{ta().content.pattern}</span>
        <input
          class="input code-input"
          required
          dir="ltr"
          spellcheck={false}
          maxLength={contract.MAX_PATTERN_CHARACTERS}
          value={draft.pattern}
          onInput={({ currentTarget }) => onChange({ ...draft, pattern: currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>{ta().content.template}</span>
        <input
          class="input code-input"
          required
          dir="ltr"
          spellcheck={false}
          maxLength={contract.MAX_URL_TEMPLATE_CHARACTERS}
          value={draft.url_template}
          onInput={({ currentTarget }) => onChange({ ...draft, url_template: currentTarget.value })}
        />
        <span class="note">{ta().content.templateMore}</span>
      </label>
      <div class="linkifier-buttons">
        <button class="button primary" type="submit">
          {isNew ? ta().content.addLinkifier : ta().content.saveLinkifier}
        </button>
        {!isNew && (
          <button class="button" type="button" onClick={onCancel}>
            {t().app.cancel}
          </button>
        )}
      </div>
    </form>
  )
}

interface TesterProps {
  readonly draft: LinkifierDraft
  readonly editing: number | undefined
}

function LinkifierTester({ draft, editing }: TesterProps) {
  const [text, setText] = useState('')
  const all = withDraft(store().read('realm_linkifiers'), draft, editing)
  const html = useTestResult(text, all)
  return (
    <div class="form">
      <label class="field">
        <span>{ta().content.tester}</span>
        <input
          class="input"
          dir="auto"
          placeholder={ta().content.testerText}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <span class="note">{ta().content.testerMore}</span>
      </label>
      {text.trim() !== '' && (
        <div class="tester-result" role="group" aria-label={ta().content.testerResult}>
          {html === undefined ? <p class="note">{ta().content.testerFailed}</p> : <Content html={html} />}
        </div>
      )}
    </div>
  )
}

function withDraft(
  all: readonly Linkifier[],
  { pattern, url_template }: LinkifierDraft,
  editing: number | undefined,
): readonly Linkifier[] {
  if (pattern.trim() === '' || url_template.trim() === '') return all
  const draft = { pattern: pattern.trim(), url_template: url_template.trim(), id: editing ?? 0 }
  return editing === undefined ? [...all, draft] : all.map((one) => (one.id === editing ? draft : one))
}

/** Returns the rendered test text; undefined if a pattern is invalid. */
function useTestResult(text: string, all: readonly Linkifier[]): string | undefined {
  const [html, setHtml] = useState<string | undefined>('')
  const settings = useRef<RenderingSettings>(undefined)
  const rendering = useRef<Renderer>(undefined)
  useEffect(() => () => rendering.current?.end(), [])
  const key = JSON.stringify(all)
  useEffect(() => {
    if (text.trim() === '') return undefined
    settings.current = { ...renderingContext.settings(), linkifiers: all }
    const tried = (rendering.current ??= new Renderer({
      answers: renderingContext.answers,
      settings: () => settings.current ?? renderingContext.settings(),
    }))
    let isWanted = true
    void tried
      .render(text, () => isWanted)
      .then((found) => {
        if (isWanted) setHtml(found)
      })
    return () => {
      isWanted = false
    }
  }, [text, key])
  return html
}
