// What types and taxonomies are called, in every sentence an editor may need.
import type { Taxonomy } from '#site/content/types.ts';
import type { ListedType } from './inner-types.ts';

type Labels = Record<string, string | null>;

export function typeLabels({ name, label, labels, hierarchical }: ListedType): Labels {
  const [one, many] = [label.toLowerCase(), labels.toLowerCase()];
  return {
    name: labels,
    singular_name: label,
    add_new: `Add ${one}`,
    add_new_item: `Add ${one}`,
    edit_item: `Edit ${one}`,
    new_item: `New ${one}`,
    view_item: `View ${one}`,
    view_items: `View ${many}`,
    search_items: `Search ${many}`,
    not_found: `No ${many} found.`,
    not_found_in_trash: `No ${many} found in the trash.`,
    parent_item_colon: hierarchical ? `Parent of this ${one}:` : null,
    all_items: `All ${many}`,
    archives: `${labels} by date`,
    attributes: `Attributes of this ${one}`,
    insert_into_item: `Insert into the ${one}`,
    uploaded_to_this_item: `Uploaded to this ${one}`,
    featured_image: 'Featured picture',
    set_featured_image: 'Choose a featured picture',
    remove_featured_image: 'Remove the featured picture',
    use_featured_image: 'Use as the featured picture',
    filter_items_list: `Filter the ${many}`,
    filter_by_date: 'Filter by date',
    items_list_navigation: `Pages of ${many}`,
    items_list: `List of ${many}`,
    item_published: `${label} published.`,
    item_published_privately: `${label} published privately.`,
    item_reverted_to_draft: `${label} reverted to draft.`,
    item_trashed: `${label} moved to the trash.`,
    item_scheduled: `${label} scheduled.`,
    item_updated: `${label} updated.`,
    item_link: `Link to a ${one}`,
    item_link_description: `A link to a ${one}.`,
    menu_name: labels,
    name_admin_bar: label,
    ...(!['post', 'page'].includes(name) && { template_name: `One of the ${many}` }),
  };
}

export function taxonomyLabels({ label, labels, hierarchical, public: isPublic }: Taxonomy): Labels {
  const [one, many] = [label.toLowerCase(), labels.toLowerCase()];
  const inTree = (text: string) => (hierarchical ? text : null);
  const inCloud = (text: string) => (hierarchical ? null : text);
  return {
    name: labels,
    singular_name: label,
    search_items: `Search ${many}`,
    popular_items: inCloud(`Popular ${many}`),
    all_items: `All ${many}`,
    parent_item: inTree(`Parent of this ${one}`),
    parent_item_colon: inTree(`Parent of this ${one}:`),
    name_field_description: 'The public name.',
    slug_field_description: 'The slug, for URLs.',
    parent_field_description: inTree(`The parent ${one}.`),
    desc_field_description: 'A description.',
    edit_item: `Edit ${one}`,
    view_item: `View ${one}`,
    update_item: `Update ${one}`,
    add_new_item: `Add ${one}`,
    new_item_name: `Name of the new ${one}`,
    separate_items_with_commas: inCloud(`Separate ${many} with commas`),
    add_or_remove_items: inCloud(`Add or remove ${many}`),
    choose_from_most_used: inCloud(`Choose from the most used ${many}`),
    not_found: `No ${many} found.`,
    no_terms: `No ${many}`,
    filter_by_item: inTree(`Filter by ${one}`),
    items_list_navigation: `Pages of ${many}`,
    items_list: `List of ${many}`,
    most_used: 'Most used',
    back_to_items: `Back to ${many}`,
    item_link: `Link to a ${one}`,
    item_link_description: `A link to a ${one}.`,
    menu_name: labels,
    name_admin_bar: label,
    ...(!isPublic && { archives: `All ${many}` }),
    template_name: `Records with this ${one}`,
  };
}
