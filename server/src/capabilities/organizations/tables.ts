import type { Generated } from 'kysely'
import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    organizations: { id: Generated<number>; string_id: string; position: Generated<number> }
    organization_settings: {
      organization_id: number
      name: string
      description: string
      date_created: number
      deactivated: boolean
      settings: Json<Record<string, unknown>>
      rendered_description: Generated<string>
      user_settings_defaults: JsonWithDefault<Record<string, unknown>>
      pictures: JsonWithDefault<Record<string, string>>
    }
    realm_domains: { organization_id: number; id: number; domain: string; allow_subdomains: boolean }
  }
}
