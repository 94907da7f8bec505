// Which rows `sherd paper NAME` asks for: those of a table or figure, of all items that begin with the
// name (a paper's), or those of one of the compared methods, wherever they are.
#pragma once

#include "commands.h"
#include "paper/paper_item.h"

// Whether the item has rows that are asked for.
bool paper_item_is_asked_for(const paper_item *item, const command_options *options);
bool paper_row_is_asked_for(const paper_item *item, const paper_row *row,
                            const command_options *options);

// "springs, peridynamics, ...": names of methods.
enum { PAPER_METHOD_NAMES = 160 };
void paper_method_names(char names[PAPER_METHOD_NAMES]);

// Says that nothing has this name, and which is nearest. Returns EXIT_USAGE.
int paper_nothing_found(const command_options *options);
