import { users } from '@parley/server/contract'
import { tl } from '../../../kernel/later-texts.ts'
import { store } from '../../../platform/client.ts'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { TextEditor } from '../../../platform/settings/text-editor.tsx'
import { saveProfileField, savePeopleField } from '../actions.ts'
import { choicesOf, idsIn } from '../profile.ts'
import { ownId, userById } from '../state.ts'
import { PeoplePicker } from './people-picker.tsx'

export function OwnFields() {
  return <ProfileFields />
}

interface ProfileFieldsProps {
  /** User whose fields an administrator edits, including fields that users cannot edit. */
  readonly of?: number
}

export function ProfileFields({ of }: ProfileFieldsProps) {
  const said = userById(of ?? ownId())?.profile_data ?? {}
  const fields = store()
    .read('custom_profile_fields')
    .toSorted((one, other) => one.order - other.order)
  return (
    <div class="form">
      {fields.map((field) => (
        <div key={field.id} class="field">
          <span>{field.name}</span>
          <FieldEditor field={field} of={of} value={said[String(field.id)]?.value ?? ''} />
          {field.hint !== '' && <span class="note">{field.hint}</span>}
        </div>
      ))}
    </div>
  )
}

interface FieldEditorProps {
  readonly field: users.CustomProfileField
  readonly of: number | undefined
  readonly value: string
}

function FieldEditor({ field, of, value }: FieldEditorProps) {
  const { id, name, type, editable_by_user: isEditable } = field
  const [refusal, run] = useRefusal()
  const save = async (text: string): Promise<unknown> => saveProfileField(id, text, of)
  if (!isEditable && of === undefined) return <p class="note">{value === '' ? tl().ownAccount.fieldIsFixed : value}</p>
  if (type === users.FIELD_TYPE.users) {
    return (
      <PeoplePicker
        label={name}
        placeholder={tl().panel.findPerson}
        chosen={idsIn(value)}
        isThere={() => false}
        onChange={(chosen) => void savePeopleField(id, chosen, idsIn(value), of)}
      />
    )
  }
  if (type === users.FIELD_TYPE.select) {
    return (
      <>
        <select
          class="input"
          aria-label={name}
          value={value}
          onChange={({ currentTarget }) => void run(async () => save(currentTarget.value))}
        >
          <option value="">{tl().ownAccount.nothing}</option>
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
      maxLength={
        isLong || type === users.FIELD_TYPE.link ? users.MAX_LONG_TEXT_CHARACTERS : users.MAX_SHORT_TEXT_CHARACTERS
      }
      save={save}
    />
  )
}
