#include "sql/connection.h"

namespace coffer::sql {

std::vector<Row> Connection::rows_of(Answer answer) {
  const std::size_t count = answer.columns == 0 ? 0 : answer.values.size() / answer.columns;
  const auto shared = std::make_shared<const Answer>(std::move(answer));
  std::vector<Row> rows;
  rows.reserve(count);
  for (std::size_t number = 0; number < count; ++number) rows.emplace_back(shared, number);
  return rows;
}

}  // namespace coffer::sql
