import { call } from '@parley/client'
import { organizations, publicPages, users } from '@parley/server/contract'
import { ta } from '../../../kernel/administration.ts'
import { FetchedChoice } from '../../../platform/settings/fetched-choice.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { withConfirmation } from '../../sessions/confirming.ts'
import { isAdministrator } from '../state.ts'

const fetchNames = async () => call(SESSION, publicPages.getPublicNames, {})

export function PublicNames() {
  return (
    <FetchedChoice
      id="public-names"
      title={() => ta().organization.titles.public_names}
      options={organizations.PUBLIC_NAME_FORMS.map((form) => [form, ta().organization.publicNameForms[form]] as const)}
      isFixed={!isAdministrator()}
      fetch={async () => (await fetchNames()).organization}
      save={async (form) =>
        withConfirmation(async () => call(SESSION, organizations.updateRealm, { public_names: form }))
      }
    />
  )
}

export function OwnPublicName() {
  return (
    <FetchedChoice
      id="public-name"
      title={() => ta().habits.publicName}
      options={organizations.PUBLIC_NAME_FORMS.map((form) => [form, ta().habits.publicNameForms[form]] as const)}
      isFixed={false}
      fetch={async () => (await fetchNames()).own}
      save={async (form) => call(SESSION, users.updateSettings, { public_name: form })}
    />
  )
}
