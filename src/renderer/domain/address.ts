/** Where a protocol or an assignment is: the id of the facility stands in for a missing address. */
export const addressOf = ({ Address, FacilityId }: { readonly Address: string; readonly FacilityId: string }): string =>
  Address || FacilityId;
