import { call } from '@parley/client'
import { snippets as declared } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { rankItems } from '../../../kernel/ranking.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { NameField } from '../../../platform/overlay/form-dialog.tsx'
import { callOrToast } from '../../../platform/requests.ts'
import { SESSION } from '../../../platform/sync/sync.ts'
import { offerUndo } from '../../../platform/undo.ts'
import { openedInsertion } from '../open.ts'

/** The server's limit for titles. */
const MAX_TITLE_CHARACTERS = 60

function closeSnippets(): void {
  openedInsertion.value = undefined
}

export function Snippets() {
  const [edited, setEdited] = useState<Partial<Snippet>>()
  if (edited === undefined) return <SnippetList onEdit={setEdited} />
  return <SnippetForm snippet={edited} onDone={() => setEdited(undefined)} />
}

function SnippetList({ onEdit }: { readonly onEdit: (snippet: Partial<Snippet>) => void }) {
  const [filter, setFilter] = useState('')
  const all = allSnippets()
  const shown =
    filter.trim() === '' ? all : rankItems(all, filter.trim(), ({ title, content }) => `${title} ${content}`)
  const insert = ({ content }: Snippet): void => {
    const { value } = openedInsertion
    closeSnippets()
    value?.insert(content)
  }
  return (
    <Dialog title={tl().snippets.title} onClose={closeSnippets}>
      <div class="snippets-head">
        <FilterField label={tl().snippets.find} value={filter} onChange={setFilter} autofocus />
        <button class="button" onClick={() => onEdit({ content: openedInsertion.value?.written ?? '' })}>
          <Icon name="plus" size={16} />
          {tl().snippets.create}
        </button>
      </div>
      {all.length === 0 && <p class="empty">{tl().snippets.none}</p>}
      <ul>
        {shown.map((snippet) => (
          <li key={snippet.id} class="snippet">
            <button class="snippet-insert" onClick={() => insert(snippet)}>
              <strong dir="auto">{snippet.title}</strong>
              <span class="note" dir="auto">
                {snippet.content}
              </span>
            </button>
            <button
              class="icon-button"
              aria-label={`${t().messages.edit}: ${snippet.title}`}
              onClick={() => onEdit(snippet)}
            >
              <Icon name="edit" size={16} />
            </button>
            <button
              class="icon-button"
              aria-label={`${t().messages.delete}: ${snippet.title}`}
              onClick={() => void deleteSnippet(snippet)}
            >
              <Icon name="delete" size={16} />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

interface SnippetFormProps {
  readonly snippet: Partial<Snippet>
  readonly onDone: () => void
}

function SnippetForm({ snippet, onDone }: SnippetFormProps) {
  const [title, setTitle] = useState(snippet.title ?? '')
  const [content, setContent] = useState(snippet.content ?? '')
  const isReady = title.trim() !== '' && content.trim() !== ''
  const save = async (): Promise<void> => {
    if (isReady && (await saveSnippet(snippet.id, title.trim(), content))) onDone()
  }
  return (
    <Dialog title={snippet.id === undefined ? tl().snippets.create : tl().snippets.change} onClose={onDone}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <NameField label={tl().snippets.name} value={title} maxLength={MAX_TITLE_CHARACTERS} onChange={setTitle} />
        <label class="field">
          <span>{tl().snippets.text}</span>
          <textarea
            class="input snippet-text"
            dir="auto"
            maxLength={store().read('max_message_length')}
            value={content}
            onInput={(event) => setContent(event.currentTarget.value)}
          />
        </label>
        <DialogActions action={tl().snippets.save} isDisabled={!isReady} onCancel={onDone} />
      </form>
    </Dialog>
  )
}

type Snippet = declared.SavedSnippet

/** Returns copies, because events change snippets in place. */
function allSnippets(): readonly Snippet[] {
  return store()
    .read('saved_snippets')
    .map((snippet) => ({ ...snippet }))
    .toSorted((one, other) => one.title.localeCompare(other.title))
}

async function saveSnippet(id: number | undefined, title: string, content: string): Promise<boolean> {
  const answer =
    id === undefined
      ? await callOrToast(declared.createSavedSnippet, { title, content })
      : await callOrToast(declared.updateSavedSnippet, { saved_snippet_id: id, title, content })
  return answer !== undefined
}

async function deleteSnippet({ id, title, content }: Snippet): Promise<void> {
  if ((await callOrToast(declared.deleteSavedSnippet, { saved_snippet_id: id })) === undefined) return
  offerUndo(tl().snippets.deleted(title), async () => call(SESSION, declared.createSavedSnippet, { title, content }))
}
