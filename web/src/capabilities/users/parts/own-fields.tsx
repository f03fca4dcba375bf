import { users } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ranked } from '../../../kernel/ranking.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { saveField } from '../actions.ts'
import { choicesOf, idsIn } from '../profile.ts'
import { activePeople, ownId, userById, userName } from '../state.ts'
import { TextEditor } from './text-editor.tsx'

/** Where one fills the organization's own profile fields. */
export function OwnFields() {
  const said = userById(ownId())?.profile_data ?? {}
  const fields = store()
    .read('custom_profile_fields')
    .toSorted((one, other) => one.order - other.order)
  return (
    <div class="form">
      {fields.map((field) => (
        <div key={field.id} class="field">
          <span>{field.name}</span>
          <FieldEditor field={field} value={said[String(field.id)]?.value ?? ''} />
          {field.hint !== '' && <span class="note">{field.hint}</span>}
        </div>
      ))}
    </div>
  )
}

interface FieldEditorProps {
  readonly field: users.CustomProfileField
  readonly value: string
}

function FieldEditor({ field, value }: FieldEditorProps) {
  const { id, name, type, editable_by_user: isEditable } = field
  const [refusal, run] = useRefusal()
  const save = async (text: string): Promise<unknown> => saveField(id, text)
  if (!isEditable) return <p class="note">{value === '' ? t().people.fieldIsFixed : value}</p>
  if (type === users.FIELD_TYPE.users) return <PeopleField id={id} name={name} ids={idsIn(value)} />
  if (type === users.FIELD_TYPE.select) {
    return (
      <>
        <select
          class="input"
          aria-label={name}
          value={value}
          onChange={({ currentTarget }) => void run(async () => save(currentTarget.value))}
        >
          <option value="">{t().people.nothing}</option>
          {[...choicesOf(field)].map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
        {refusal}
      </>
    )
  }
  const isLong = type === users.FIELD_TYPE.longText
  return (
    <TextEditor
      label={name}
      value={value}
      isDate={type === users.FIELD_TYPE.date}
      isLong={isLong}
      inputMode={type === users.FIELD_TYPE.link ? 'url' : 'text'}
      maxLength={isLong || type === users.FIELD_TYPE.link ? users.MAX_LONG_TEXT : users.MAX_SHORT_TEXT}
      save={save}
    />
  )
}

interface PeopleFieldProps {
  readonly id: number
  readonly name: string
  readonly ids: readonly number[]
}

/** A field that names people. */
function PeopleField({ id, name, ids }: PeopleFieldProps) {
  const [typed, setTyped] = useState('')
  const [refusal, run] = useRefusal()
  const query = typed.trim().toLowerCase()
  const others = activePeople.value.filter(({ user_id }) => !ids.includes(user_id))
  const found = query === '' ? [] : ranked(others, query, ({ full_name }) => full_name)
  const choose = (chosen: readonly number[]): void => {
    setTyped('')
    void run(async () => saveField(id, chosen))
  }
  return (
    <>
      <div class="person-channels">
        {ids.map((userId) => (
          <button
            key={userId}
            class="button"
            aria-label={t().people.remove(userName(userId))}
            onClick={() => choose(ids.filter((one) => one !== userId))}
          >
            {userName(userId)}
            <Icon name="close" size={14} />
          </button>
        ))}
      </div>
      <input
        class="input"
        type="search"
        aria-label={name}
        placeholder={t().panel.findPerson}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {found.map(({ user_id, full_name }) => (
        <button key={user_id} class="button" onClick={() => choose([...ids, user_id])}>
          {full_name}
        </button>
      ))}
      {refusal}
    </>
  )
}
