import { call } from '@parley/client'
import { playgrounds as contract } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { store } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { EmptyState } from '../../../platform/list/states.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { offerUndo } from '../../../platform/undo.ts'

type Playground = Omit<contract.Playground, 'id'>

const EMPTY_PLAYGROUND: Playground = { name: '', highlighter_language: '', url_template: '' }

const addPlayground = async (playground: Playground) => call(SESSION, contract.addPlayground, playground)

export function Playgrounds() {
  const [typed, setTyped] = useState(EMPTY_PLAYGROUND)
  const [refusal, run] = useRefusal()
  const all = store()
    .read('realm_playgrounds')
    .toSorted((one, other) => one.highlighter_language.localeCompare(other.highlighter_language))
  const append = async (): Promise<void> => {
    if (await run(async () => addPlayground(typed))) setTyped(EMPTY_PLAYGROUND)
  }
  const remove = async ({ id, ...playground }: contract.Playground): Promise<void> => {
    if (await run(async () => call(SESSION, contract.removePlayground, { playground_id: id })))
      offerUndo(ta().content.playgroundRemoved(playground.name), async () => addPlayground(playground))
  }
  const field = (key: keyof Playground, label: string, maxLength: number) => (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        required
        maxLength={maxLength}
        value={typed[key]}
        onInput={({ currentTarget }) => setTyped({ ...typed, [key]: currentTarget.value })}
      />
    </label>
  )
  return (
    <div class="form">
      {all.length === 0 && (
        <EmptyState icon="code" title={ta().content.noPlaygrounds} more={ta().content.noPlaygroundsMore} />
      )}
      <ul class="listed" aria-label={ta().content.playgroundsAll}>
        {all.map((playground) => (
          <li key={playground.id} class="listed-row">
            <bdi class="listed-name">{playground.name}</bdi>
            <bdi class="note">{playground.highlighter_language}</bdi>
            <code>{playground.url_template}</code>
            <button
              class="icon-button"
              aria-label={ta().content.removePlayground(playground.name)}
              onClick={() => void remove(playground)}
            >
              <Icon name="delete" size={16} />
            </button>
          </li>
        ))}
      </ul>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void append()
        }}
      >
        {field('name', ta().content.playgroundName, contract.MAX_NAME_CHARACTERS)}
        {field('highlighter_language', ta().content.playgroundLanguage, contract.MAX_LANGUAGE_CHARACTERS)}
        {field('url_template', ta().content.playgroundTemplate, contract.MAX_URL_TEMPLATE_CHARACTERS)}
        {refusal}
        <div>
          <button class="button primary" type="submit">
            {ta().content.addPlayground}
          </button>
        </div>
      </form>
    </div>
  )
}
